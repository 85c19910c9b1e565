DROP INDEX CONCURRENTLY IF EXISTS "reminders_change";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "reminders_change" ON "reminders" USING btree ("change_id") WHERE change_id is not null;