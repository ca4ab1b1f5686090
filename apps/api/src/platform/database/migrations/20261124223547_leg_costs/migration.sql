ALTER TABLE "call_cost" ADD COLUMN "leg" integer DEFAULT 1;--> statement-breakpoint
ALTER TABLE "call_cost" ADD COLUMN "carrier_call_id" text;--> statement-breakpoint
ALTER TABLE "call_cost" ADD COLUMN "seconds" integer;--> statement-breakpoint
ALTER TABLE "call_cost" ADD COLUMN "credits" integer;--> statement-breakpoint
ALTER TABLE "call_cost" DROP CONSTRAINT "call_cost_pkey";--> statement-breakpoint
ALTER TABLE "call_cost" ADD PRIMARY KEY ("call_id","leg");