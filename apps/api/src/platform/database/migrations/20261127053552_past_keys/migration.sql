CREATE TABLE "past_key" (
	"fingerprint" text PRIMARY KEY,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
