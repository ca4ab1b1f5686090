CREATE TABLE "call_liveness" (
	"call_id" text PRIMARY KEY,
	"heard_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "call_liveness" ADD CONSTRAINT "call_liveness_call_id_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "call"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "call_liveness" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "call" SET (fillfactor = 85);
