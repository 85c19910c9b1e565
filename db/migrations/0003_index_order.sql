DROP INDEX "audit_log_time";--> statement-breakpoint
DROP INDEX "article_stars_feed";--> statement-breakpoint
DROP INDEX "articles_feed";--> statement-breakpoint
DROP INDEX "articles_category";--> statement-breakpoint
DROP INDEX "channels_popular";--> statement-breakpoint
DROP INDEX "messages_channel";--> statement-breakpoint
DROP INDEX "achievements_order";--> statement-breakpoint
DROP INDEX "social_links_order";--> statement-breakpoint
DROP INDEX "stars_category";--> statement-breakpoint
DROP INDEX "stars_popular";--> statement-breakpoint
DROP INDEX "timeline_events_order";--> statement-breakpoint
CREATE INDEX "audit_log_time" ON "audit_log" USING btree ("created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "article_stars_feed" ON "article_stars" USING btree ("star_id","published_at" DESC NULLS FIRST,"article_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "articles_feed" ON "articles" USING btree ("published_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX "articles_category" ON "articles" USING btree ("entertainment_category","published_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX "channels_popular" ON "channels" USING btree ("member_count" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "messages_channel" ON "messages" USING btree ("channel_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "achievements_order" ON "achievements" USING btree ("star_id","award_date" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "social_links_order" ON "social_links" USING btree ("star_id","is_official" DESC NULLS FIRST,"follower_count" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "stars_category" ON "stars" USING btree ("category","article_count" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "stars_popular" ON "stars" USING btree ("article_count" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "timeline_events_order" ON "timeline_events" USING btree ("star_id","date" DESC NULLS FIRST,"id");