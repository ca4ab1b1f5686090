CREATE EXTENSION IF NOT EXISTS btree_gin;--> statement-breakpoint
-- Makes the partition of a month (UTC) unless it is there, or a first partition of all before (`_before`) has that month.
-- Rows of that month that waited in the default partition move in.
CREATE FUNCTION add_month_partition(parent text, month date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  part text := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
  rest text := format('%s_rest', parent);
  first_at timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
  kept record;
  next_at timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
  key text := (
    SELECT a.attname FROM pg_partitioned_table p
    JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
    WHERE p.partrelid = to_regclass(quote_ident(parent))
  );
BEGIN
  IF to_regclass(quote_ident(part)) IS NOT NULL OR EXISTS (
    SELECT FROM pg_class WHERE oid = to_regclass(quote_ident(parent || '_before')) AND relispartition
      AND (regexp_match(pg_get_expr(relpartbound, oid), 'TO \(''([^'']+)''\)'))[1]::timestamptz > first_at
  ) THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part, parent);
  FOR kept IN SELECT attname AS name, attstattarget AS target FROM pg_attribute
    WHERE attrelid = quote_ident(parent)::regclass AND attnum > 0 AND attstattarget >= 0 LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS %s', part, kept.name, kept.target);
  END LOOP;
  IF to_regclass(quote_ident(rest)) IS NOT NULL THEN
    EXECUTE format('WITH moved AS (DELETE FROM %I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
      rest, key, first_at, key, next_at, part);
  END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, part, first_at, next_at);
  RETURN true;
END $$;--> statement-breakpoint
CREATE TABLE "call_search" (
	"user_id" text,
	"created_at" timestamp(3) with time zone,
	"call_id" text,
	"status" text NOT NULL,
	"callee" text NOT NULL,
	"words" text NOT NULL,
	CONSTRAINT "call_search_pkey" PRIMARY KEY("user_id","created_at","call_id")
) PARTITION BY RANGE ("created_at");--> statement-breakpoint
-- A short list of what is not indexed yet: each search reads it.
CREATE INDEX "call_search_words" ON "call_search" USING gin ("user_id", "words" gin_trgm_ops) WITH (gin_pending_list_limit = 256);--> statement-breakpoint
CREATE TABLE "call_search_rest" PARTITION OF "call_search" DEFAULT;--> statement-breakpoint
-- How often words occur in transcripts is guessed from their length: to try each against samples of long texts takes
-- longer than the search.
ALTER TABLE "call_search" ALTER COLUMN "words" SET STATISTICS 0;--> statement-breakpoint
SELECT add_month_partition('call_search', month::date)
FROM (SELECT coalesce(min(created_at), now()) AS oldest FROM "call" WHERE completed_at IS NOT NULL) c,
  generate_series(
    date_trunc('month', greatest(c.oldest, now() - interval '10 years') AT TIME ZONE 'UTC'),
    (now() AT TIME ZONE 'UTC') + interval '3 months',
    interval '1 month'
  ) AS month;--> statement-breakpoint
-- A function of its own: planned for its values, it locks one partition and not all.
CREATE FUNCTION forget_call_search(person text, at timestamptz, call text) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  DELETE FROM call_search s WHERE s.user_id = person AND s.created_at = at AND s.call_id = call;
END $$;--> statement-breakpoint
CREATE FUNCTION keep_call_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'DELETE' OR (tg_op = 'UPDATE' AND old.created_at <> new.created_at) THEN
    PERFORM forget_call_search(old.user_id, old.created_at, old.id);
  END IF;
  IF tg_op <> 'DELETE' THEN
    INSERT INTO call_search (user_id, created_at, call_id, status, callee, words)
    VALUES (new.user_id, new.created_at, new.id, new.status, new.callee,
      concat_ws(E'\n', new.callee, new.purpose, new.transcript, new.summary))
    ON CONFLICT (user_id, created_at, call_id) DO UPDATE SET status = excluded.status, callee = excluded.callee, words = excluded.words;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- By triggers, so that nodes of the version before keep it too.
CREATE TRIGGER call_search_added AFTER INSERT ON "call"
  FOR EACH ROW WHEN (new.completed_at IS NOT NULL) EXECUTE FUNCTION keep_call_search();--> statement-breakpoint
CREATE TRIGGER call_search_changed AFTER UPDATE ON "call"
  FOR EACH ROW WHEN (new.completed_at IS NOT NULL AND
    (old.completed_at IS NULL, old.created_at, old.status, old.callee, old.purpose, old.transcript, old.summary)
    IS DISTINCT FROM (false, new.created_at, new.status, new.callee, new.purpose, new.transcript, new.summary))
  EXECUTE FUNCTION keep_call_search();--> statement-breakpoint
CREATE TRIGGER call_search_removed AFTER DELETE ON "call"
  FOR EACH ROW WHEN (old.completed_at IS NOT NULL) EXECUTE FUNCTION keep_call_search();
