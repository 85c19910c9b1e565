-- Who moved an event by hand stood in the audit log alone, which is not kept for ever.
UPDATE "events" SET "planned_start" = "start_time"
WHERE "anniversary_of" IS NOT NULL
  AND NOT EXISTS (SELECT FROM "audit_log" WHERE "subject" = 'event' AND "subject_id" = "events"."id"
    AND "action" = 'event.edit' AND "details" -> 'before' -> 'startTime' IS NOT NULL)
  AND NOT EXISTS (SELECT FROM "audit_log" WHERE "subject" = 'event' AND "action" = 'event.merge'
    AND ("details" ->> 'into')::integer = "events"."id"
    AND "details" -> 'before' ->> 'startTime' IS DISTINCT FROM "details" -> 'after' ->> 'startTime');--> statement-breakpoint
-- So did what left with a star that was hidden. What an editor rejected stays rejected.
UPDATE "events" SET "left_with_star" = true, "decided_at" = NULL, "decided_by" = NULL, "decision_notes" = NULL
FROM "stars"
WHERE "stars"."id" = "events"."anniversary_of" AND "stars"."hidden_at" IS NOT NULL
  AND "events"."verification" = 'rejected' AND "events"."merged_into_id" IS NULL
  AND "events"."id" IN (SELECT "taken"."id"::integer
    FROM "audit_log", jsonb_array_elements_text("details" -> 'anniversaries') AS "taken"("id")
    WHERE "subject" = 'star' AND "action" IN ('star.hide', 'star.merge'))
  AND NOT EXISTS (SELECT FROM "audit_log" WHERE "subject" = 'event' AND "subject_id" = "events"."id"
    AND "action" = 'event.reject');
