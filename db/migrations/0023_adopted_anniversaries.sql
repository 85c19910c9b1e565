-- Whoever approved an adopted one did not reject it: the plan took it back, and brings it again when it is due.
UPDATE "events" SET "decided_at" = NULL, "decided_by" = NULL, "decision_notes" = NULL
WHERE "anniversary_of" IS NOT NULL AND "verification" = 'rejected' AND "merged_into_id" IS NULL AND "decided_at" IS NOT NULL
  AND (SELECT "action" FROM "audit_log" WHERE "subject" = 'event' AND "subject_id" = "events"."id"
    AND "action" IN ('event.approve', 'event.reject', 'event.undo') ORDER BY "id" DESC LIMIT 1) = 'event.approve';
