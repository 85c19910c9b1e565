ALTER TABLE "events" ADD COLUMN "planned_start" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "left_with_star" boolean DEFAULT false NOT NULL;