CREATE TABLE "directory_import_stars" (
	"import_id" integer NOT NULL,
	"line" integer NOT NULL,
	"star_id" integer NOT NULL,
	"outcome" text NOT NULL,
	CONSTRAINT "directory_import_stars_import_id_line_pk" PRIMARY KEY("import_id","line")
);
--> statement-breakpoint
ALTER TABLE "directory_import_stars" ADD CONSTRAINT "directory_import_stars_import_id_directory_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."directory_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_import_stars" ADD CONSTRAINT "directory_import_stars_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "directory_import_stars_star" ON "directory_import_stars" USING btree ("star_id");