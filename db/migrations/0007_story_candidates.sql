CREATE TABLE "story_candidates" (
	"story_id" integer NOT NULL,
	"name" text NOT NULL,
	"star_id" integer NOT NULL,
	"score" integer NOT NULL,
	CONSTRAINT "story_candidates_story_id_name_star_id_pk" PRIMARY KEY("story_id","name","star_id")
);
--> statement-breakpoint
ALTER TABLE "story_candidates" ADD CONSTRAINT "story_candidates_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "story_candidates" ADD CONSTRAINT "story_candidates_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "story_candidates_star" ON "story_candidates" USING btree ("star_id");