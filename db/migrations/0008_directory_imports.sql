CREATE TABLE "directory_imports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "directory_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"actor_id" integer,
	"file_name" text NOT NULL,
	"format" text NOT NULL,
	"file" "bytea",
	"state" text DEFAULT 'ready' NOT NULL,
	"row_by_row" boolean DEFAULT false NOT NULL,
	"rows" jsonb NOT NULL,
	"counts" jsonb NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "directory_imports" ADD CONSTRAINT "directory_imports_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;