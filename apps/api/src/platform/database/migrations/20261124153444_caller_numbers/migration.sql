CREATE TABLE "caller_number" (
	"user_id" text,
	"phone" text,
	"kind" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"simulated" boolean NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "caller_number_pkey" PRIMARY KEY("user_id","phone")
);
--> statement-breakpoint
CREATE TABLE "caller_verification" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"phone" text NOT NULL,
	"simulated" boolean NOT NULL,
	"status" text DEFAULT 'calling' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"facts_taken" integer DEFAULT 0 NOT NULL,
	"dispatched_at" timestamp(3) with time zone,
	"node_id" text,
	"boot_id" text,
	"end_reason" text,
	"end_message" text,
	"heard" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"confirmed_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "call" ADD COLUMN "caller_number" text;--> statement-breakpoint
CREATE UNIQUE INDEX "caller_number_default" ON "caller_number" ("user_id") WHERE "is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "caller_number_owned" ON "caller_number" ("phone") WHERE "kind" = 'owned';--> statement-breakpoint
CREATE INDEX "caller_verification_user" ON "caller_verification" ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "caller_verification_phone" ON "caller_verification" ("phone","created_at");--> statement-breakpoint
CREATE INDEX "caller_verification_created" ON "caller_verification" ("created_at");--> statement-breakpoint
ALTER TABLE "caller_number" ADD CONSTRAINT "caller_number_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "caller_verification" ADD CONSTRAINT "caller_verification_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;