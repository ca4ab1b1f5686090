CREATE TABLE "call" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"batch_id" text,
	"callee" text NOT NULL,
	"purpose" text NOT NULL,
	"objectives" jsonb NOT NULL,
	"tone" text NOT NULL,
	"voice_id" text NOT NULL,
	"max_duration_minutes" integer NOT NULL,
	"context" jsonb NOT NULL,
	"language" text NOT NULL,
	"on_behalf_of" text NOT NULL,
	"record" boolean NOT NULL,
	"status" text NOT NULL,
	"phase" text NOT NULL,
	"facts_taken" integer DEFAULT 0 NOT NULL,
	"answered_call_ms" integer,
	"last_call_ms" integer DEFAULT 0 NOT NULL,
	"stage_at" timestamp(3) with time zone NOT NULL,
	"outcomes" jsonb DEFAULT '[]' NOT NULL,
	"transcript" text,
	"summary" text,
	"duration_seconds" integer,
	"credits_held" integer NOT NULL,
	"credits_charged" integer,
	"end_reason" text,
	"end_message" text,
	"has_recording" boolean DEFAULT false NOT NULL,
	"notes" text,
	"tags" jsonb DEFAULT '[]' NOT NULL,
	"clock_speed" real DEFAULT 1 NOT NULL,
	"dispatched_at" timestamp(3) with time zone,
	"taken_at" timestamp(3) with time zone,
	"stop_requested_at" timestamp(3) with time zone,
	"heard_at" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"connected_at" timestamp(3) with time zone,
	"completed_at" timestamp(3) with time zone,
	CONSTRAINT "call_ended" CHECK (("completed_at" is null) = ("status" not in ('completed', 'failed'))),
	CONSTRAINT "call_end" CHECK (num_nulls("completed_at", "end_reason", "duration_seconds", "credits_charged") in (0, 4))
);
--> statement-breakpoint
CREATE TABLE "call_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "call_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"call_id" text NOT NULL,
	"status" text NOT NULL,
	"phase" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "call_summary" (
	"call_id" text PRIMARY KEY,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"insights" jsonb NOT NULL,
	"next_steps" jsonb NOT NULL,
	"action_required" boolean NOT NULL,
	"action_text" text
);
--> statement-breakpoint
CREATE TABLE "call_turn" (
	"call_id" text,
	"index" integer,
	"speaker" text NOT NULL,
	"text" text NOT NULL,
	"start_ms" integer NOT NULL,
	"end_ms" integer,
	"heard" boolean NOT NULL,
	CONSTRAINT "call_turn_pkey" PRIMARY KEY("call_id","index")
);
--> statement-breakpoint
CREATE TABLE "dialing_switch" (
	"id" integer PRIMARY KEY DEFAULT 1,
	"on" boolean NOT NULL,
	"reason" text,
	"changed_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dialing_switch_one_row" CHECK ("id" = 1)
);
--> statement-breakpoint
CREATE TABLE "do_not_call" (
	"user_id" text,
	"phone" text,
	"source" text NOT NULL,
	"quote" text,
	"call_id" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "do_not_call_pkey" PRIMARY KEY("user_id","phone"),
	CONSTRAINT "do_not_call_source" CHECK ("source" in ('callee', 'account'))
);
--> statement-breakpoint
CREATE INDEX "call_history" ON "call" ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "call_usage" ON "call" ("user_id","completed_at");--> statement-breakpoint
CREATE INDEX "call_live" ON "call" ("heard_at") WHERE "completed_at" is null;--> statement-breakpoint
CREATE INDEX "call_event_call" ON "call_event" ("call_id","id");--> statement-breakpoint
CREATE INDEX "do_not_call_added" ON "do_not_call" ("user_id","created_at");--> statement-breakpoint
ALTER TABLE "call" ADD CONSTRAINT "call_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "call_event" ADD CONSTRAINT "call_event_call_id_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "call"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "call_summary" ADD CONSTRAINT "call_summary_call_id_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "call"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "call_turn" ADD CONSTRAINT "call_turn_call_id_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "call"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "do_not_call" ADD CONSTRAINT "do_not_call_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;