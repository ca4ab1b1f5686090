CREATE TABLE "call_cost" (
	"call_id" text PRIMARY KEY,
	"ended_at" timestamp(3) with time zone NOT NULL,
	"carrier" text,
	"code" text,
	"cost_micros" bigint,
	"currency" text,
	"ask_at" timestamp(3) with time zone,
	"asked" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "call_cost_whole" CHECK (("cost_micros" is null) = ("currency" is null))
);
--> statement-breakpoint
CREATE INDEX "call_cost_ended" ON "call_cost" ("ended_at");--> statement-breakpoint
CREATE INDEX "call_cost_due" ON "call_cost" ("ask_at") WHERE "ask_at" is not null;--> statement-breakpoint
ALTER TABLE "call_cost" ADD CONSTRAINT "call_cost_call_id_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "call"("id") ON DELETE CASCADE;