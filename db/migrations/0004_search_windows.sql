CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
DROP INDEX "article_rewrites_search";--> statement-breakpoint
CREATE INDEX "article_rewrites_search" ON "article_rewrites" USING gin ((article_id / 512),(article_id / 4096),(article_id / 32768),search_key gin_trgm_ops);