ALTER TABLE "call_liveness" ADD COLUMN "asked_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "call_liveness" ADD COLUMN "is_missed" boolean DEFAULT false NOT NULL;