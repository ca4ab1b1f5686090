-- outside a transaction
ALTER TABLE hold VALIDATE CONSTRAINT hold_settled;--> statement-breakpoint
ALTER TABLE ledger_account VALIDATE CONSTRAINT ledger_account_balance;--> statement-breakpoint
ANALYZE ledger_transfer;
