CREATE TABLE "archive_key" (
	"user_id" text PRIMARY KEY,
	"key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "partition_archive" (
	"name" text PRIMARY KEY,
	"table" text NOT NULL,
	"month" date NOT NULL,
	"rows" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"archived_at" timestamp with time zone DEFAULT now() NOT NULL,
	"restored_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "archive_key" ADD CONSTRAINT "archive_key_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
-- Each table becomes the first partition of one by month that has its name, so that nodes of the version before go on.
DO $$
DECLARE
  t record;
  i record;
  bound timestamptz;
  before text;
BEGIN
  FOR t IN SELECT * FROM (VALUES ('webhook_delivery', 'created_at'), ('consent_audit', 'at'), ('security_event', 'at')) v (name, key) LOOP
    before := t.name || '_before';
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', t.name);
    SELECT (regexp_match(pg_get_constraintdef(oid), '''([^'']+)'''))[1]::timestamptz INTO STRICT bound
      FROM pg_constraint WHERE conrelid = t.name::regclass AND conname = t.name || '_bound';
    EXECUTE format('ALTER TABLE %I RENAME TO %I', t.name, before);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', before, t.name || '_pkey');
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY USING INDEX %I', before, before || '_pkey', before || '_pkey');
    -- An identity goes on as a sequence of its own: partitions have no identity before PostgreSQL 17.
    IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = before::regclass AND attname = 'id' AND attidentity <> '') THEN
      EXECUTE format('CREATE SEQUENCE %I', t.name || '_ids');
      EXECUTE format('SELECT setval(%L, nextval(pg_get_serial_sequence(%L, ''id'')))', t.name || '_ids', before);
      EXECUTE format('ALTER TABLE %I ALTER COLUMN id DROP IDENTITY', before);
      EXECUTE format('ALTER TABLE %I ALTER COLUMN id SET DEFAULT nextval(%L)', before, t.name || '_ids');
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (%I)', t.name, before, t.key);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', t.name, t.name || '_bound');
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (id, %I)', t.name, t.name || '_pkey', t.key);
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE',
      t.name, t.name || '_user_id_user_id_fkey');
    FOR i IN SELECT c.relname AS name, pg_get_indexdef(x.indexrelid) AS definition FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
      WHERE x.indrelid = before::regclass AND NOT x.indisprimary LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', i.name, i.name || '_before');
      EXECUTE replace(i.definition, format(' ON %s.%I ', current_schema(), before), format(' ON %s.%I ', current_schema(), t.name));
    END LOOP;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', t.name, before, bound);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', before, t.name || '_bound');
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', t.name || '_rest', t.name);
    PERFORM add_month_partition(t.name, (bound AT TIME ZONE 'UTC')::date);
    PERFORM add_month_partition(t.name, ((bound AT TIME ZONE 'UTC') + interval '1 month')::date);
  END LOOP;
END $$;
--> statement-breakpoint
-- Their rows are no longer deleted one by one.
DELETE FROM "repeated_task" WHERE "name" IN ('notices.sweep', 'consent.sweep');
