-- The books refuse to be wrong, whoever writes to them.

-- Sixteen accounts of each kind for the house, so that the events of many people do not queue for one row.
INSERT INTO "ledger_account" ("id", "kind")
SELECT kind || ':' || lpad(stripe::text, 2, '0'), kind
FROM unnest(ARRAY['sales', 'promo', 'usage', 'writeoff']) AS kind, generate_series(0, 15) AS stripe;
--> statement-breakpoint
CREATE FUNCTION "books_refuse"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: the books are only added to', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER "ledger_tx_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_tx"
  FOR EACH STATEMENT EXECUTE FUNCTION "books_refuse"();
--> statement-breakpoint
CREATE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "books_refuse"();
--> statement-breakpoint
CREATE TRIGGER "hold_stays" BEFORE DELETE OR TRUNCATE ON "hold"
  FOR EACH STATEMENT EXECUTE FUNCTION "books_refuse"();
--> statement-breakpoint
CREATE TRIGGER "ledger_account_stays" BEFORE DELETE OR TRUNCATE ON "ledger_account"
  FOR EACH STATEMENT EXECUTE FUNCTION "books_refuse"();
--> statement-breakpoint
-- An account opens at zero and is then moved by the triggers of entries and holds alone.
CREATE FUNCTION "ledger_account_guard"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP = 'INSERT' AND (NEW.posted <> 0 OR NEW.held <> 0)) OR (TG_OP = 'UPDATE' AND pg_trigger_depth() < 2) THEN
    RAISE EXCEPTION '% of account % is refused: only entries and holds move an account', TG_OP, NEW.id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "ledger_account_guarded" AFTER INSERT OR UPDATE ON "ledger_account"
  FOR EACH ROW EXECUTE FUNCTION "ledger_account_guard"();
--> statement-breakpoint
-- AFTER, because a BEFORE trigger also fires for a row that ON CONFLICT DO NOTHING then drops.
CREATE FUNCTION "ledger_entry_post"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "ledger_account" SET "posted" = "posted" + NEW.credits WHERE "id" = NEW.account_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "ledger_entry_posts" AFTER INSERT ON "ledger_entry"
  FOR EACH ROW EXECUTE FUNCTION "ledger_entry_post"();
--> statement-breakpoint
CREATE FUNCTION "hold_move"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change bigint := 0;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'active' THEN
      RAISE EXCEPTION 'The hold of call % must begin active', NEW.call_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    change := NEW.credits;
  ELSIF OLD.state <> 'active'
    OR (NEW.call_id, NEW.user_id, NEW.wanted_credits, NEW.credits) IS DISTINCT FROM (OLD.call_id, OLD.user_id, OLD.wanted_credits, OLD.credits) THEN
    RAISE EXCEPTION 'The hold of call % is settled once and keeps its size', OLD.call_id USING ERRCODE = 'integrity_constraint_violation';
  ELSIF NEW.state = 'settled' THEN
    change := -OLD.credits;
  END IF;
  UPDATE "ledger_account" SET "held" = "held" + change WHERE "kind" = 'wallet' AND "user_id" = NEW.user_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'User % has no wallet', NEW.user_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "hold_moves" AFTER INSERT OR UPDATE ON "hold"
  FOR EACH ROW EXECUTE FUNCTION "hold_move"();
--> statement-breakpoint
-- Judged at commit, when all legs of an event are there.
CREATE FUNCTION "ledger_tx_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  judged bigint := (to_jsonb(NEW) ->> TG_ARGV[0])::bigint;
  legs bigint;
  total numeric;
BEGIN
  SELECT count(*), coalesce(sum("credits"), 0) INTO legs, total FROM "ledger_entry" WHERE "tx_id" = judged;
  IF legs < 2 OR total <> 0 THEN
    RAISE EXCEPTION 'Event % has % legs that sum to %: it needs two or more that sum to 0', judged, legs, total
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "ledger_tx_balances" AFTER INSERT ON "ledger_tx"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "ledger_tx_balance"('id');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "ledger_entry_balances" AFTER INSERT ON "ledger_entry"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "ledger_tx_balance"('tx_id');
