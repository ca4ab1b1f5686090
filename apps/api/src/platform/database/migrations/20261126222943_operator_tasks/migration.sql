CREATE TABLE "operator_task" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operator_task_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"intent_id" text NOT NULL CONSTRAINT "operator_task_intent" UNIQUE,
	"order_id" text NOT NULL,
	"detail" text NOT NULL,
	"decision" text,
	"reason" text,
	"opened_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"decided_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	CONSTRAINT "operator_task_decided" CHECK (("decision" is null) = ("decided_at" is null) and ("done_at" is null or "decision" is not null))
);
--> statement-breakpoint
CREATE INDEX "operator_task_open" ON "operator_task" ("id") WHERE "done_at" is null;