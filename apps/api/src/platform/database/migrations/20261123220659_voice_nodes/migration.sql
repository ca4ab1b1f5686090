CREATE TABLE "call_lease" (
	"call_id" text PRIMARY KEY,
	"node_id" text NOT NULL,
	"boot_id" text NOT NULL,
	"fence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "call_lease_fence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lease_until" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "voice_node" (
	"node_id" text PRIMARY KEY,
	"boot_id" text NOT NULL,
	"private_url" text NOT NULL,
	"media_url" text NOT NULL,
	"state" text NOT NULL,
	"capacity" integer NOT NULL,
	"version" text NOT NULL,
	"secret_hash" text NOT NULL,
	"heartbeat_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "call" ADD COLUMN "carrier_call_id" text;--> statement-breakpoint
ALTER TABLE "call" ADD COLUMN "waiting_since" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "call_turn" ADD COLUMN "estimated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "call_lease_node" ON "call_lease" ("node_id","boot_id");--> statement-breakpoint
ALTER TABLE "call_lease" ADD CONSTRAINT "call_lease_call_id_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "call"("id") ON DELETE CASCADE;