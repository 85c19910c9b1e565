CREATE INDEX "events_calendar" ON "events" USING btree ("start_time","id","category_id","primary_star_id","over_at","precision","zone") WHERE verification = 'approved';--> statement-breakpoint
DROP INDEX "events_public";
