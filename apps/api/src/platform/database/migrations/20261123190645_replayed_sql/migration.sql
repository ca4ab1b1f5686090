CREATE TABLE "replayed_sql" (
	"name" text PRIMARY KEY,
	"version" integer NOT NULL,
	"hash" text NOT NULL,
	"replayed_at" timestamp with time zone DEFAULT now() NOT NULL
);
