-- What a settlement costs is the statements in it, and the checks and indexes of each: fewer of all, under the same rules.

-- A leg is found by its event or by its account, never by its number; a hold by its call.
ALTER TABLE "ledger_entry" DROP CONSTRAINT "ledger_entry_pkey";
--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_tx_account" PRIMARY KEY USING INDEX "ledger_entry_tx_account";
--> statement-breakpoint
DROP INDEX "hold_user";
--> statement-breakpoint
-- PostgreSQL reads each CHECK of a table anew in every statement that writes to it. What an account is never changes: it is judged
-- once, when the account is opened, and a change of it is refused.
ALTER TABLE "ledger_account" DROP CONSTRAINT "ledger_account_kind", DROP CONSTRAINT "ledger_account_owner",
  DROP CONSTRAINT "ledger_account_held", DROP CONSTRAINT "ledger_account_wallet",
  ADD CONSTRAINT "ledger_account_wallet" CHECK (case "kind" when 'wallet' then "held" >= 0 and "posted" - "held" >= 0 else "held" = 0 end);
--> statement-breakpoint
ALTER TABLE "hold" DROP CONSTRAINT "hold_state", ADD CONSTRAINT "hold_state"
  CHECK (num_nulls("connected_seconds", "charged_credits", "settled_at") = case "state" when 'active' then 3 when 'settled' then 0 else -1 end);
--> statement-breakpoint
DROP TRIGGER "ledger_account_opens" ON "ledger_account";
--> statement-breakpoint
CREATE FUNCTION "ledger_account_open"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.posted <> 0 OR NEW.held <> 0 THEN
    RAISE EXCEPTION '% of account % is refused: only entries and holds move an account', TG_OP, NEW.id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  -- A person's account bears the person's name, by which it is found; the house's bears a number.
  IF NEW.kind IN ('wallet', 'debt') AND NEW.id = NEW.kind || ':' || NEW.user_id
    OR NEW.kind IN ('sales', 'promo', 'usage', 'writeoff') AND NEW.user_id IS NULL THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'There is no account % of the kind % for user %', NEW.id, NEW.kind, NEW.user_id USING ERRCODE = 'check_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER "ledger_account_opens" AFTER INSERT ON "ledger_account" FOR EACH ROW EXECUTE FUNCTION "ledger_account_open"();
--> statement-breakpoint
CREATE TRIGGER "ledger_account_is_kept" BEFORE UPDATE OF "id", "kind", "user_id" ON "ledger_account"
  FOR EACH STATEMENT EXECUTE FUNCTION "books_refuse"();
--> statement-breakpoint
-- A leg moves its account. One row at a time, in the order of writing, and only within the transaction that writes the event.
DROP TRIGGER "ledger_entry_posts" ON "ledger_entry";
--> statement-breakpoint
DROP FUNCTION "ledger_entry_post"();
--> statement-breakpoint
CREATE FUNCTION "ledger_entry_post"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  low CONSTANT bigint := 3;
  account record;
BEGIN
  UPDATE "ledger_account" a SET "posted" = a."posted" + NEW."credits" WHERE a."id" = NEW."account_id"
    AND EXISTS (SELECT FROM "ledger_tx" t WHERE t."id" = NEW."tx_id" AND t."written_by" = pg_current_xact_id())
    RETURNING a."kind", a."user_id", a."posted" INTO account;
  IF NOT FOUND THEN
    IF EXISTS (SELECT FROM "ledger_tx" t WHERE t."id" = NEW."tx_id" AND t."written_by" = pg_current_xact_id()) THEN
      RAISE EXCEPTION 'There is no account_id %', NEW."account_id" USING ERRCODE = 'foreign_key_violation';
    END IF;
    RAISE EXCEPTION 'Event % takes no more legs', NEW."tx_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF account.kind = 'wallet' AND account.posted < low AND account.posted - NEW."credits" >= low THEN
    INSERT INTO "low_balance" ("user_id") VALUES (account.user_id) ON CONFLICT ("user_id") DO NOTHING;
  ELSIF account.kind = 'wallet' AND account.posted >= low AND account.posted - NEW."credits" < low THEN
    DELETE FROM "low_balance" WHERE "user_id" = account.user_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "ledger_entry_posts" AFTER INSERT ON "ledger_entry" FOR EACH ROW EXECUTE FUNCTION "ledger_entry_post"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "books_settle"(call text, seconds bigint, cost bigint, OUT outcome text, OUT charged bigint, OUT available bigint)
LANGUAGE plpgsql AS $$
DECLARE
  person text;
  owed bigint;
  freed bigint;
  earlier bigint;
  key text := 'call:' || call;
BEGIN
  -- Whose hold it is never changes, so that nobody waits while it is looked up.
  SELECT h."user_id" INTO person FROM "hold" h WHERE h."call_id" = call;
  IF NOT FOUND THEN
    outcome := 'missing';
    RETURN;
  END IF;
  -- What books_lock does; the debt is looked at below, when the lock is there.
  SELECT a."posted" - a."held" INTO available FROM "ledger_account" a WHERE a."id" = 'wallet:' || person FOR NO KEY UPDATE;
  UPDATE "hold" h SET "state" = 'settled', "connected_seconds" = seconds, "charged_credits" = least(h."credits", cost), "settled_at" = clock_timestamp()
    WHERE h."call_id" = call AND h."state" = 'active' RETURNING h."charged_credits", h."credits" - h."charged_credits",
      (SELECT -d."posted" FROM "ledger_account" d WHERE d."id" = 'debt:' || person) INTO charged, freed, owed;
  IF NOT FOUND THEN
    SELECT h."connected_seconds", h."charged_credits" INTO earlier, charged FROM "hold" h WHERE h."call_id" = call;
    outcome := CASE earlier WHEN seconds THEN 'repeated' ELSE 'mismatch' END;
    RETURN;
  END IF;
  outcome := 'written';
  available := available + freed;
  IF charged > 0 THEN
    WITH event AS (
      INSERT INTO "ledger_tx" ("kind", "idem_key", "body_hash", "cause", "call_id")
      VALUES ('settle', key, encode(sha256(convert_to(key || ' ' || seconds, 'UTF8')), 'hex'), format('Call of %sm %ss', seconds / 60, seconds % 60), call)
      RETURNING "id"
    )
    INSERT INTO "ledger_entry" ("tx_id", "account_id", "credits")
      SELECT event."id", leg.account, leg.amount
      FROM event, (VALUES ('wallet:' || person, -charged), ("books_house"('usage', person), charged)) AS leg (account, amount);
  END IF;
  IF owed > 0 THEN
    available := "books_repay"(person, key, owed, available);
  END IF;
END $$;
--> statement-breakpoint
-- As before, with the wallet found by its name, as everywhere.
CREATE OR REPLACE FUNCTION "hold_move"() RETURNS trigger LANGUAGE plpgsql AS $$
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
  UPDATE "ledger_account" SET "held" = "held" + change WHERE "id" = 'wallet:' || NEW.user_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'User % has no wallet', NEW.user_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
