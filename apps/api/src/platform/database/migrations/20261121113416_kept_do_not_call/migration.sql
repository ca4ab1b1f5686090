CREATE TABLE "kept_do_not_call" (
	"list_id" text,
	"phone_hash" text,
	CONSTRAINT "kept_do_not_call_pkey" PRIMARY KEY("list_id","phone_hash")
);
--> statement-breakpoint
CREATE TABLE "returned_do_not_call" (
	"user_id" text PRIMARY KEY,
	"list_key" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "returned_do_not_call" ADD CONSTRAINT "returned_do_not_call_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;