CREATE TABLE "passed_over" (
	"task" text,
	"subject" text,
	"failures" integer DEFAULT 1 NOT NULL,
	"retry_at" timestamp with time zone NOT NULL,
	"error_kind" text NOT NULL,
	CONSTRAINT "passed_over_pkey" PRIMARY KEY("task","subject")
);
--> statement-breakpoint
CREATE INDEX "passed_over_retry_at_index" ON "passed_over" ("retry_at");