ALTER TABLE "payment_dispute" ADD COLUMN "rounds" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_dispute" ADD CONSTRAINT "payment_dispute_rounds" CHECK ("rounds" > 0);