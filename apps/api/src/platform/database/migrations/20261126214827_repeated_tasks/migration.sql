CREATE TABLE "repeated_task" (
	"name" text PRIMARY KEY,
	"interval_ms" integer NOT NULL,
	"next_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"owner" text,
	"fence" bigint DEFAULT 0 NOT NULL,
	"lease_until" timestamp with time zone,
	"last_started_at" timestamp with time zone,
	"last_succeeded_at" timestamp with time zone,
	"last_failed_at" timestamp with time zone,
	"failures_in_row" integer DEFAULT 0 NOT NULL,
	"last_error_kind" text
);
