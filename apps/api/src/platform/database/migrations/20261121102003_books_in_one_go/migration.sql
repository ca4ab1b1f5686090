ALTER TABLE "ledger_entry" DROP CONSTRAINT "ledger_entry_tx_id_ledger_tx_id_fkey";--> statement-breakpoint
ALTER TABLE "ledger_entry" DROP CONSTRAINT "ledger_entry_account_id_ledger_account_id_fkey";--> statement-breakpoint
ALTER TABLE "ledger_tx" ADD COLUMN "written_by" xid8 DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
-- Each movement of credits in one go: one call of the database instead of one for every step, with the wallet locked as briefly as can be.
-- What the books refuse is still refused by triggers, whoever writes; those do less work for it.

-- Accounts are updated in place again and again.
ALTER TABLE "ledger_account" SET (fillfactor = 50);
--> statement-breakpoint
-- Judged without calling a function where a trigger of the books moves the account.
CREATE OR REPLACE FUNCTION "ledger_account_guard"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of account % is refused: only entries and holds move an account', TG_OP, NEW.id
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
DROP TRIGGER "ledger_account_guarded" ON "ledger_account";
--> statement-breakpoint
CREATE TRIGGER "ledger_account_guarded" AFTER UPDATE ON "ledger_account"
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "ledger_account_guard"();
--> statement-breakpoint
CREATE TRIGGER "ledger_account_opens" AFTER INSERT ON "ledger_account"
  FOR EACH ROW WHEN (NEW."posted" <> 0 OR NEW."held" <> 0) EXECUTE FUNCTION "ledger_account_guard"();
--> statement-breakpoint
-- Legs join an event only in the transaction that writes it, so that judging the event at its commit judges it for good.
DROP TRIGGER "ledger_entry_posts" ON "ledger_entry";
--> statement-breakpoint
DROP TRIGGER "ledger_entry_balances" ON "ledger_entry";
--> statement-breakpoint
DROP FUNCTION "ledger_entry_post"();
--> statement-breakpoint
CREATE FUNCTION "ledger_entry_post"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  leg record;
BEGIN
  FOR leg IN SELECT l."tx_id", l."account_id", l."credits", t."written_by" FROM "legs" l LEFT JOIN "ledger_tx" t ON t."id" = l."tx_id" ORDER BY l."id" LOOP
    IF leg.written_by IS DISTINCT FROM pg_current_xact_id() THEN
      RAISE EXCEPTION 'Event % takes no more legs', leg.tx_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE "ledger_account" SET "posted" = "posted" + leg.credits WHERE "id" = leg.account_id;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'There is no account_id %', leg.account_id USING ERRCODE = 'foreign_key_violation';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "ledger_entry_posts" AFTER INSERT ON "ledger_entry" REFERENCING NEW TABLE AS "legs"
  FOR EACH STATEMENT EXECUTE FUNCTION "ledger_entry_post"();
--> statement-breakpoint
DROP TRIGGER "ledger_tx_balances" ON "ledger_tx";
--> statement-breakpoint
DROP FUNCTION "ledger_tx_balance"();
--> statement-breakpoint
-- Judged at commit, when all legs of an event are there.
CREATE FUNCTION "ledger_tx_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  legs bigint;
  total numeric;
BEGIN
  SELECT count(*), coalesce(sum("credits"), 0) INTO legs, total FROM "ledger_entry" WHERE "tx_id" = NEW."id";
  IF legs < 2 OR total <> 0 OR NEW."written_by" <> pg_current_xact_id() THEN
    RAISE EXCEPTION 'Event % has % legs that sum to %: it needs two or more that sum to 0', NEW."id", legs, total
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "ledger_tx_balances" AFTER INSERT ON "ledger_tx"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "ledger_tx_balance"();
--> statement-breakpoint
-- The house's account that serves a person: one of sixty-four of a kind, since whoever shares one waits for the other's commit.
INSERT INTO "ledger_account" ("id", "kind")
SELECT kind || ':' || stripe, kind FROM unnest(ARRAY['sales', 'promo', 'usage', 'writeoff']) AS kind, generate_series(16, 63) AS stripe;
--> statement-breakpoint
CREATE FUNCTION "books_house"(kind text, person text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN kind || ':' || lpad((get_byte(sha256(convert_to(person, 'UTF8')), 0) % 64)::text, 2, '0');
--> statement-breakpoint
-- Writes an event once for its key: 'written', 'repeated' (an equal one stands there) or 'mismatch' (another one does). Legs of 0 credits
-- are left out. Callers name the wallet first and then the other accounts in alphabetical order, so that no two events wait for each other.
CREATE FUNCTION "books_post"(kind text, key text, hash text, cause text, call text, accounts text[], credits bigint[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  tx bigint;
BEGIN
  INSERT INTO "ledger_tx" ("kind", "idem_key", "body_hash", "cause", "call_id") VALUES (kind, key, hash, cause, call)
    ON CONFLICT ("idem_key") DO NOTHING RETURNING "id" INTO tx;
  IF tx IS NULL THEN
    RETURN (SELECT CASE t."body_hash" WHEN hash THEN 'repeated' ELSE 'mismatch' END FROM "ledger_tx" t WHERE t."idem_key" = key);
  END IF;
  INSERT INTO "ledger_entry" ("tx_id", "account_id", "credits")
    SELECT tx, leg.account, leg.amount FROM unnest(accounts, credits) AS leg (account, amount) WHERE leg.amount <> 0;
  RETURN 'written';
END $$;
--> statement-breakpoint
-- Credits that came free go to what is owed. Answers what remains available.
CREATE FUNCTION "books_repay"(person text, cause_key text, debt bigint, available bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  repaid bigint := least(debt, available);
  key text := 'repay:' || cause_key;
BEGIN
  IF repaid > 0 AND "books_post"('repay', key, encode(sha256(convert_to(key || ' ' || repaid, 'UTF8')), 'hex'), 'Credits owed after a refund', NULL,
    ARRAY['wallet:' || person, 'debt:' || person], ARRAY[-repaid, repaid]) <> 'written' THEN
    RAISE EXCEPTION 'Event % was written before what caused it', key USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN available - greatest(repaid, 0);
END $$;
--> statement-breakpoint
-- The lock of a person's books: everything that moves the person's credits takes it first.
CREATE FUNCTION "books_lock"(person text, OUT available bigint, OUT debt bigint) LANGUAGE plpgsql AS $$
BEGIN
  SELECT a."posted" - a."held" INTO available FROM "ledger_account" a WHERE a."id" = 'wallet:' || person FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'User % has no wallet', person USING ERRCODE = 'foreign_key_violation';
  END IF;
  SELECT -a."posted" INTO debt FROM "ledger_account" a WHERE a."id" = 'debt:' || person;
END $$;
--> statement-breakpoint
-- Moves credits between a person and the house: bought ones against sales, gifts against promo, the operator's against writeoff.
-- What is taken beyond what is available becomes debt, where that is allowed.
CREATE FUNCTION "books_move"(person text, kind text, key text, hash text, cause text, bought bigint, given bigint, written bigint, may_owe boolean,
  OUT outcome text, OUT available bigint) LANGUAGE plpgsql AS $$
DECLARE
  total bigint := bought + given + written;
  owed bigint;
  debt bigint;
BEGIN
  SELECT l.available, l.debt INTO available, debt FROM "books_lock"(person) l;
  owed := greatest(0, -total - available);
  IF owed > 0 AND NOT may_owe AND NOT EXISTS (SELECT FROM "ledger_tx" t WHERE t."idem_key" = key) THEN
    outcome := 'insufficient';
    RETURN;
  END IF;
  outcome := "books_post"(kind, key, hash, CASE WHEN owed > 0 THEN cause || ' (' || owed || ' owed)' ELSE cause END, NULL,
    ARRAY['wallet:' || person, 'debt:' || person, "books_house"('promo', person), "books_house"('sales', person), "books_house"('writeoff', person)],
    ARRAY[total + owed, -owed, -given, -bought, -written]);
  IF outcome = 'written' THEN
    available := "books_repay"(person, key, debt + owed, available + total + owed);
  END IF;
END $$;
--> statement-breakpoint
-- Sets credits aside for a call: 'written', 'repeated', 'mismatch', 'debt' (with what is owed) or 'insufficient'.
CREATE FUNCTION "books_hold"(call text, person text, wanted bigint, expires timestamptz,
  OUT outcome text, OUT credits bigint, OUT available bigint, OUT debt bigint) LANGUAGE plpgsql AS $$
DECLARE
  earlier "hold";
BEGIN
  SELECT l.available, l.debt INTO available, debt FROM "books_lock"(person) l;
  SELECT * INTO earlier FROM "hold" h WHERE h."call_id" = call;
  IF FOUND THEN
    outcome := CASE WHEN earlier."user_id" = person AND earlier."wanted_credits" = wanted THEN 'repeated' ELSE 'mismatch' END;
    credits := earlier."credits";
  ELSIF debt > 0 THEN
    outcome := 'debt';
  ELSIF available < 1 THEN
    outcome := 'insufficient';
  ELSE
    outcome := 'written';
    credits := least(wanted, available);
    available := available - credits;
    INSERT INTO "hold" ("call_id", "user_id", "wanted_credits", "credits", "expires_at") VALUES (call, person, wanted, books_hold.credits, expires);
  END IF;
END $$;
--> statement-breakpoint
-- Charges a call what it may cost, never more than it held, and frees the rest: 'written', 'repeated', 'mismatch' or 'missing'.
CREATE FUNCTION "books_settle"(call text, seconds bigint, cost bigint, OUT outcome text, OUT charged bigint, OUT available bigint)
LANGUAGE plpgsql AS $$
DECLARE
  person text;
  owed bigint;
  freed bigint;
  earlier bigint;
  key text := 'call:' || call;
BEGIN
  -- What books_lock does, with the person found on the way: this is the busiest of all.
  SELECT a."user_id", a."posted" - a."held" INTO person, available
    FROM "hold" h JOIN "ledger_account" a ON a."id" = 'wallet:' || h."user_id" WHERE h."call_id" = call FOR NO KEY UPDATE OF a;
  IF NOT FOUND THEN
    outcome := 'missing';
    RETURN;
  END IF;
  -- Not in the same query: that would show the debt as it was before the wait for the lock.
  SELECT -d."posted" INTO owed FROM "ledger_account" d WHERE d."id" = 'debt:' || person;
  UPDATE "hold" h SET "state" = 'settled', "connected_seconds" = seconds, "charged_credits" = least(h."credits", cost), "settled_at" = clock_timestamp()
    WHERE h."call_id" = call AND h."state" = 'active' RETURNING h."charged_credits", h."credits" - h."charged_credits" INTO charged, freed;
  IF NOT FOUND THEN
    SELECT h."connected_seconds", h."charged_credits" INTO earlier, charged FROM "hold" h WHERE h."call_id" = call;
    outcome := CASE earlier WHEN seconds THEN 'repeated' ELSE 'mismatch' END;
    RETURN;
  END IF;
  outcome := 'written';
  available := available + freed;
  IF charged > 0 AND "books_post"('settle', key, encode(sha256(convert_to(key || ' ' || seconds, 'UTF8')), 'hex'),
    format('Call of %sm %ss', seconds / 60, seconds % 60), call,
    ARRAY['wallet:' || person, "books_house"('usage', person)], ARRAY[-charged, charged]) <> 'written' THEN
    RAISE EXCEPTION 'Event % was written before its hold was settled', key USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF owed > 0 THEN
    available := "books_repay"(person, key, owed, available);
  END IF;
END $$;
