-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "call_words_kept";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "call_words_kept" ON "call" ("user_id","completed_at") WHERE "completed_at" is not null and ("transcript" is null or "transcript" not like 'Erased after % days, as your settings say.' or "has_recording");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "call_recorded";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "call_recorded" ON "call" ("user_id","created_at","id") WHERE "has_recording";
