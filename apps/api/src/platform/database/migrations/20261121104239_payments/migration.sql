CREATE TABLE "auto_top_up" (
	"user_id" text PRIMARY KEY,
	"package_id" text NOT NULL,
	"threshold_credits" integer NOT NULL,
	"problem" text,
	"order_id" text,
	CONSTRAINT "auto_top_up_threshold" CHECK ("threshold_credits" > 0)
);
--> statement-breakpoint
CREATE TABLE "low_balance" (
	"user_id" text PRIMARY KEY,
	"fell_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"told_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payment" (
	"id" text PRIMARY KEY,
	"intent_id" text CONSTRAINT "payment_intent_id" UNIQUE,
	"user_id" text NOT NULL,
	"package_id" text NOT NULL,
	"credits" integer NOT NULL,
	"bonus_credits" integer NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text DEFAULT 'usd' NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"automatic" boolean DEFAULT false NOT NULL,
	"superseded" boolean DEFAULT false NOT NULL,
	"save_card" boolean DEFAULT false NOT NULL,
	"captured_cents" integer DEFAULT 0 NOT NULL,
	"returned_cents" integer DEFAULT 0 NOT NULL,
	"taken_credits" integer DEFAULT 0 NOT NULL,
	"taken_bonus_credits" integer DEFAULT 0 NOT NULL,
	"card" text,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"paid_at" timestamp with time zone,
	"checked_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "payment_status" CHECK ("status" in ('open', 'processing', 'succeeded', 'failed', 'canceled')),
	CONSTRAINT "payment_captured" CHECK ("captured_cents" = case when "status" = 'succeeded' then "amount_cents" else 0 end),
	CONSTRAINT "payment_paid" CHECK (("paid_at" is not null) = ("status" = 'succeeded')),
	CONSTRAINT "payment_returned" CHECK ("returned_cents" between 0 and "captured_cents"),
	CONSTRAINT "payment_taken" CHECK ("taken_credits" between 0 and "credits" and "taken_bonus_credits" between 0 and "bonus_credits")
);
--> statement-breakpoint
CREATE TABLE "payment_customer" (
	"user_id" text PRIMARY KEY,
	"customer_id" text NOT NULL CONSTRAINT "payment_customer_id" UNIQUE,
	"payment_method_id" text,
	"brand" text,
	"last4" text,
	"exp_month" integer,
	"exp_year" integer
);
--> statement-breakpoint
CREATE TABLE "payment_dispute" (
	"id" text PRIMARY KEY,
	"order_id" text NOT NULL,
	"cents" integer NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "payment_dispute_status" CHECK ("status" in ('open', 'won', 'lost'))
);
--> statement-breakpoint
CREATE TABLE "payment_refund" (
	"id" text PRIMARY KEY,
	"order_id" text NOT NULL,
	"cents" integer NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "payment_refund_status" CHECK ("status" in ('standing', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "stripe_event" (
	"id" text PRIMARY KEY,
	"type" text NOT NULL,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stripe_reading" (
	"id" boolean PRIMARY KEY DEFAULT true,
	"read_until" timestamp with time zone NOT NULL,
	CONSTRAINT "stripe_reading_one" CHECK ("id")
);
--> statement-breakpoint
CREATE INDEX "ledger_entry_in" ON "ledger_entry" ("account_id") WHERE "credits" > 0;--> statement-breakpoint
CREATE INDEX "low_balance_untold" ON "low_balance" ("fell_at") WHERE "told_at" is null;--> statement-breakpoint
CREATE INDEX "payment_user" ON "payment" ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "payment_unfinished" ON "payment" ("checked_at") WHERE "status" in ('open', 'processing', 'failed');--> statement-breakpoint
CREATE INDEX "payment_dispute_order" ON "payment_dispute" ("order_id");--> statement-breakpoint
CREATE INDEX "payment_refund_order" ON "payment_refund" ("order_id");--> statement-breakpoint
CREATE INDEX "stripe_event_at" ON "stripe_event" ("at");
--> statement-breakpoint
-- As in "books_in_one_go"; and a wallet that falls below 3 credits (LOW_BALANCE_CREDITS) is remembered until it has been there again.
CREATE OR REPLACE FUNCTION "ledger_entry_post"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  low CONSTANT bigint := 3;
  leg record;
  account record;
BEGIN
  FOR leg IN SELECT l."tx_id", l."account_id", l."credits", t."written_by" FROM "legs" l LEFT JOIN "ledger_tx" t ON t."id" = l."tx_id" ORDER BY l."id" LOOP
    IF leg.written_by IS DISTINCT FROM pg_current_xact_id() THEN
      RAISE EXCEPTION 'Event % takes no more legs', leg.tx_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE "ledger_account" a SET "posted" = a."posted" + leg.credits WHERE a."id" = leg.account_id
      RETURNING a."kind", a."user_id", a."posted" INTO account;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'There is no account_id %', leg.account_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    IF account.kind = 'wallet' AND account.posted < low AND account.posted - leg.credits >= low THEN
      INSERT INTO "low_balance" ("user_id") VALUES (account.user_id) ON CONFLICT ("user_id") DO NOTHING;
    ELSIF account.kind = 'wallet' AND account.posted >= low AND account.posted - leg.credits < low THEN
      DELETE FROM "low_balance" WHERE "user_id" = account.user_id;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
