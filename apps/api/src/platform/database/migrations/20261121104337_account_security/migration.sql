CREATE TABLE "api_key" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL UNIQUE,
	"masked" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "data_export" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"status" text NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"bytes" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "data_export_part" (
	"export_id" text,
	"index" integer,
	"bytes" bytea NOT NULL,
	CONSTRAINT "data_export_part_pkey" PRIMARY KEY("export_id","index")
);
--> statement-breakpoint
CREATE TABLE "inquiry" (
	"id" text PRIMARY KEY,
	"company_name" text NOT NULL,
	"contact_name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text,
	"requirements" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "native_code" (
	"hash" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"challenge" text,
	"method" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkey" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL UNIQUE,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "recovery_code" (
	"user_id" text,
	"hash" text,
	CONSTRAINT "recovery_code_pkey" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "second_factor" (
	"user_id" text PRIMARY KEY,
	"secret" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" integer
);
--> statement-breakpoint
CREATE TABLE "security_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "security_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"detail" text,
	"ip_address" text,
	"user_agent" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempt" (
	"account" text,
	"address" text,
	"failures" integer NOT NULL,
	"blocked_until" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_attempt_pkey" PRIMARY KEY("account","address")
);
--> statement-breakpoint
CREATE TABLE "used_token" (
	"hash" text PRIMARY KEY,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "api_key_user_id_index" ON "api_key" ("user_id");--> statement-breakpoint
CREATE INDEX "data_export_user_id_created_at_index" ON "data_export" ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "inquiry_email_created_at_index" ON "inquiry" ("email","created_at");--> statement-breakpoint
CREATE INDEX "passkey_user_id_index" ON "passkey" ("user_id");--> statement-breakpoint
CREATE INDEX "security_event_user_id_id_index" ON "security_event" ("user_id","id");--> statement-breakpoint
CREATE INDEX "security_event_at_index" ON "security_event" ("at");--> statement-breakpoint
CREATE INDEX "sign_in_attempt_last_at_index" ON "sign_in_attempt" ("last_at");--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "data_export" ADD CONSTRAINT "data_export_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "data_export_part" ADD CONSTRAINT "data_export_part_export_id_data_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "data_export"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "native_code" ADD CONSTRAINT "native_code_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "second_factor" ADD CONSTRAINT "second_factor_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "security_event" ADD CONSTRAINT "security_event_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;