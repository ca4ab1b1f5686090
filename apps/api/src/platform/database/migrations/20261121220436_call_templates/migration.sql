CREATE TABLE "call_template" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"purpose" text NOT NULL,
	"objectives" jsonb NOT NULL,
	"tone" text NOT NULL,
	"max_duration_minutes" integer NOT NULL,
	"context" jsonb NOT NULL,
	"language" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "call_template_name" ON "call_template" ("user_id",lower("name"));--> statement-breakpoint
ALTER TABLE "call_template" ADD CONSTRAINT "call_template_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;