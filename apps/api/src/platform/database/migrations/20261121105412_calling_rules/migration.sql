CREATE TABLE "consent_audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "consent_audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"phone" text,
	"call_id" text,
	"batch_id" text,
	"detail" text,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consent_audit_kind" CHECK ("kind" in ('dialed', 'refused', 'opted_out', 'listed', 'unlisted', 'evidence'))
);
--> statement-breakpoint
CREATE TABLE "platform_do_not_call" (
	"phone" text PRIMARY KEY,
	"reason" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "call_batch" ON "call" ("batch_id","created_at") WHERE "batch_id" is not null;--> statement-breakpoint
CREATE INDEX "consent_audit_number" ON "consent_audit" ("user_id","phone","at");--> statement-breakpoint
CREATE INDEX "consent_audit_at" ON "consent_audit" ("at");--> statement-breakpoint
ALTER TABLE "consent_audit" ADD CONSTRAINT "consent_audit_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "do_not_call" DROP CONSTRAINT "do_not_call_source", ADD CONSTRAINT "do_not_call_source" CHECK ("source" in ('callee', 'account', 'imported'));