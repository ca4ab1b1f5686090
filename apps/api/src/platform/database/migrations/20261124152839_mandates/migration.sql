CREATE TABLE "call_vault" (
	"call_id" text PRIMARY KEY,
	"sealed" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "call" ADD COLUMN "mandates" jsonb DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "call" ADD COLUMN "vault" jsonb DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "call" ADD COLUMN "reader_language" text;--> statement-breakpoint
ALTER TABLE "call" ADD COLUMN "told" jsonb DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "call_template" ADD COLUMN "mandates" jsonb DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "call_vault" ADD CONSTRAINT "call_vault_call_id_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "call"("id") ON DELETE CASCADE;