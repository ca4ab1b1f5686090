CREATE TABLE "batch" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"paused_by" text,
	"status_message" text,
	"incoming" boolean DEFAULT true NOT NULL,
	"plan" jsonb NOT NULL,
	"file_name" text,
	"columns" jsonb DEFAULT '[]' NOT NULL,
	"phone_column" text,
	"name_column" text,
	"places" jsonb DEFAULT '[]' NOT NULL,
	"marketing" boolean,
	"permission" text,
	"permission_details" text,
	"permission_by" text,
	"permission_at" timestamp(3) with time zone,
	"dropped" integer DEFAULT 0 NOT NULL,
	"waiting" integer DEFAULT 0 NOT NULL,
	"calling" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"cancelled" integer DEFAULT 0 NOT NULL,
	"credits_charged" integer DEFAULT 0 NOT NULL,
	"carrier_failures" integer DEFAULT 0 NOT NULL,
	"scheduled_for" timestamp(3) with time zone,
	"look_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone NOT NULL,
	"started_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	CONSTRAINT "batch_paused" CHECK (("status" = 'paused') = ("paused_by" is not null)),
	CONSTRAINT "batch_counts" CHECK (least("waiting", "calling", "completed", "failed", "cancelled") >= 0)
);
--> statement-breakpoint
CREATE TABLE "batch_contact" (
	"batch_id" text,
	"row" integer,
	"phone" text NOT NULL,
	"callee" text,
	"name" text,
	"context" jsonb NOT NULL,
	"order" jsonb,
	"place" text,
	"status" text NOT NULL,
	"code" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempts_max" integer,
	"next_attempt_at" timestamp(3) with time zone,
	"call_id" text,
	CONSTRAINT "batch_contact_pkey" PRIMARY KEY("batch_id","row")
);
--> statement-breakpoint
CREATE TABLE "dial_slot" (
	"id" integer PRIMARY KEY,
	"call_id" text,
	"leased_until" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE INDEX "batch_list" ON "batch" ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "batch_active" ON "batch" ("look_at") WHERE "status" in ('scheduled', 'running', 'paused');--> statement-breakpoint
CREATE INDEX "batch_contact_fresh" ON "batch_contact" ("batch_id","place","row") WHERE "status" = 'waiting' and "next_attempt_at" is null;--> statement-breakpoint
CREATE INDEX "batch_contact_again" ON "batch_contact" ("batch_id","next_attempt_at") WHERE "status" = 'waiting' and "next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "batch_contact_queued" ON "batch_contact" ("callee") WHERE "status" = 'waiting';--> statement-breakpoint
CREATE INDEX "batch_contact_status" ON "batch_contact" ("batch_id","status","row");--> statement-breakpoint
CREATE INDEX "batch_contact_call" ON "batch_contact" ("call_id") WHERE "call_id" is not null;--> statement-breakpoint
CREATE INDEX "dial_slot_call" ON "dial_slot" ("call_id") WHERE "call_id" is not null;--> statement-breakpoint
ALTER TABLE "batch" ADD CONSTRAINT "batch_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "batch_contact" ADD CONSTRAINT "batch_contact_batch_id_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batch"("id") ON DELETE CASCADE;