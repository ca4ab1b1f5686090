CREATE TABLE "stripe_event_retry" (
	"id" text PRIMARY KEY,
	"type" text NOT NULL,
	"intent_id" text,
	"setup_intent_id" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "auto_top_up" ADD COLUMN "tried_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL;--> statement-breakpoint
CREATE INDEX "stripe_event_retry_due" ON "stripe_event_retry" ("next_attempt_at") WHERE "next_attempt_at" is not null;