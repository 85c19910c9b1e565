ALTER TABLE "articles" ADD COLUMN "photo_key" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "photo_key" text;--> statement-breakpoint
ALTER TABLE "articles" ADD CONSTRAINT "articles_photo_key_pictures_key_fk" FOREIGN KEY ("photo_key") REFERENCES "public"."pictures"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_photo_key_pictures_key_fk" FOREIGN KEY ("photo_key") REFERENCES "public"."pictures"("key") ON DELETE no action ON UPDATE no action;