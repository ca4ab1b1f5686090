-- outside a transaction
-- What lets the tables of before become first partitions without being read: their times end where the months begin, and
-- a unique index has the time in it. The month after the next begins there, so that no row is refused meanwhile.
DO $$
DECLARE
  t record;
  bound timestamptz := (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC';
BEGIN
  FOR t IN SELECT * FROM (VALUES ('webhook_delivery', 'created_at'), ('consent_audit', 'at'), ('security_event', 'at')) v (name, key) LOOP
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = t.name::regclass AND conname = t.name || '_bound') THEN
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (%I < %L) NOT VALID', t.name, t.name || '_bound', t.key, bound);
    END IF;
    COMMIT;
  END LOOP;
END $$;--> statement-breakpoint
ALTER TABLE "webhook_delivery" VALIDATE CONSTRAINT "webhook_delivery_bound";--> statement-breakpoint
ALTER TABLE "consent_audit" VALIDATE CONSTRAINT "consent_audit_bound";--> statement-breakpoint
ALTER TABLE "security_event" VALIDATE CONSTRAINT "security_event_bound";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "webhook_delivery_before_pkey";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "webhook_delivery_before_pkey" ON "webhook_delivery" ("id","created_at");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "consent_audit_before_pkey";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "consent_audit_before_pkey" ON "consent_audit" ("id","at");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "security_event_before_pkey";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "security_event_before_pkey" ON "security_event" ("id","at");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "consent_audit_list";--> statement-breakpoint
-- For the export, which reads an account's entries in order.
CREATE INDEX CONCURRENTLY "consent_audit_list" ON "consent_audit" ("user_id","at","id");
