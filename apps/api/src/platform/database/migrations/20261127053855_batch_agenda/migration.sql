-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "batch_due";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "batch_due" ON "batch" (coalesce("look_at", '-infinity'::timestamptz)) WHERE "status" = 'running' or "status" = 'paused' and "paused_by" = 'hours';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "batch_scheduled";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "batch_scheduled" ON "batch" ("scheduled_for") WHERE "status" = 'scheduled';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "batch_awaiting";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "batch_awaiting" ON "batch" ("user_id","look_at") WHERE "status" = 'running' and "waits_for" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "batch_active";
