CREATE TABLE "hold" (
	"call_id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"wanted_credits" bigint NOT NULL,
	"credits" bigint NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"connected_seconds" bigint,
	"charged_credits" bigint,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "hold_credits" CHECK ("credits" between 1 and "wanted_credits"),
	CONSTRAINT "hold_charged" CHECK ("charged_credits" between 0 and "credits" and "connected_seconds" >= 0),
	CONSTRAINT "hold_state" CHECK ("state" in ('active', 'settled') and num_nulls("connected_seconds", "charged_credits", "settled_at") = case "state" when 'active' then 3 else 0 end)
);
--> statement-breakpoint
CREATE TABLE "ledger_account" (
	"id" text PRIMARY KEY,
	"kind" text NOT NULL,
	"user_id" text,
	"posted" bigint DEFAULT 0 NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "ledger_account_kind" CHECK ("kind" in ('wallet', 'debt', 'sales', 'promo', 'usage', 'writeoff')),
	CONSTRAINT "ledger_account_owner" CHECK (("kind" in ('wallet', 'debt')) = ("user_id" is not null)),
	CONSTRAINT "ledger_account_held" CHECK ("held" >= 0 and ("kind" = 'wallet' or "held" = 0)),
	CONSTRAINT "ledger_account_wallet" CHECK ("kind" <> 'wallet' or "posted" - "held" >= 0),
	CONSTRAINT "ledger_account_debt" CHECK ("kind" <> 'debt' or "posted" <= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_entry" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tx_id" bigint NOT NULL,
	"account_id" text NOT NULL,
	"credits" bigint NOT NULL,
	CONSTRAINT "ledger_entry_credits" CHECK ("credits" <> 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_tx" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_tx_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"idem_key" text NOT NULL CONSTRAINT "ledger_tx_idem_key" UNIQUE,
	"body_hash" text NOT NULL,
	"cause" text NOT NULL,
	"call_id" text,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "ledger_tx_kind" CHECK ("kind" in ('grant', 'purchase', 'settle', 'clawback', 'repay', 'adjust')),
	CONSTRAINT "ledger_tx_call" CHECK ("kind" <> 'settle' or "call_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "idempotent_answer" (
	"user_id" text,
	"route_id" text,
	"key" text,
	"body_hash" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotent_answer_pkey" PRIMARY KEY("user_id","route_id","key")
);
--> statement-breakpoint
CREATE INDEX "hold_user" ON "hold" ("user_id");--> statement-breakpoint
CREATE INDEX "hold_expiry" ON "hold" ("expires_at") WHERE "state" = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_account_user_kind" ON "ledger_account" ("user_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entry_tx_account" ON "ledger_entry" ("tx_id","account_id");--> statement-breakpoint
CREATE INDEX "ledger_entry_account" ON "ledger_entry" ("account_id","tx_id");--> statement-breakpoint
CREATE INDEX "idempotent_answer_created_at_index" ON "idempotent_answer" ("created_at");--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_tx_id_ledger_tx_id_fkey" FOREIGN KEY ("tx_id") REFERENCES "ledger_tx"("id");--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_account_id_ledger_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "ledger_account"("id");