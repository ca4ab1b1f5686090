CREATE TABLE "verified_number" (
	"user_id" text,
	"phone" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "verified_number_pkey" PRIMARY KEY("user_id","phone")
);
--> statement-breakpoint
ALTER TABLE "verified_number" ADD CONSTRAINT "verified_number_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;
