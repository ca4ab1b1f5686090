CREATE TABLE "shell_session" (
	"session_id" text PRIMARY KEY,
	"platform" text NOT NULL,
	"origin" text NOT NULL,
	"token_hash" text NOT NULL UNIQUE,
	"next_hash" text UNIQUE
);
--> statement-breakpoint
CREATE TABLE "ticket" (
	"hash" text PRIMARY KEY,
	"session_id" text NOT NULL,
	"path" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "ticket_session_id_index" ON "ticket" ("session_id");--> statement-breakpoint
CREATE INDEX "ticket_expires_at_index" ON "ticket" ("expires_at");--> statement-breakpoint
ALTER TABLE "shell_session" ADD CONSTRAINT "shell_session_session_id_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_session_id_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE;