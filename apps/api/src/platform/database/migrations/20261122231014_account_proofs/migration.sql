CREATE TABLE "email_code" (
	"user_id" text,
	"use" text,
	"id" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"mailed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"mails" integer DEFAULT 1 NOT NULL,
	"first_mailed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_code_pkey" PRIMARY KEY("user_id","use")
);
--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
-- A password that somebody has come in with goes on as it is; one that was never used is confirmed at its first use.
UPDATE "account" SET "confirmed_at" = now() WHERE "provider_id" = 'credential' AND EXISTS (SELECT FROM "security_event" e WHERE e."user_id" = "account"."user_id" AND e."kind" = 'signed_in');--> statement-breakpoint
-- Sessions that were there before have proved nothing lately: only new ones get the default.
ALTER TABLE "session" ADD COLUMN "stepped_up_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "session" ALTER COLUMN "stepped_up_at" SET DEFAULT now();--> statement-breakpoint
ALTER TABLE "email_code" ADD CONSTRAINT "email_code_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;