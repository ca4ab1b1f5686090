-- From here on the books are transfers. Whoever writes them in the old form is waited for, and tries again in the new one.
LOCK TABLE hold, ledger_account, ledger_tx, ledger_entry IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
SELECT ledger_copy_events(c.upto, t.newest) FROM ledger_copied c, (SELECT max(id) AS newest FROM ledger_tx) t
WHERE t.newest > c.upto;--> statement-breakpoint
SELECT setval('ledger_transfer_id', greatest(1, max(id)), max(id) IS NOT NULL) FROM ledger_tx;--> statement-breakpoint
DROP PROCEDURE ledger_copy();--> statement-breakpoint
DROP FUNCTION ledger_copy_events(bigint, bigint);--> statement-breakpoint
DROP TABLE ledger_copied;--> statement-breakpoint
DROP FUNCTION hold_move() CASCADE;--> statement-breakpoint
DROP FUNCTION ledger_entry_post() CASCADE;--> statement-breakpoint
DROP FUNCTION ledger_tx_balance() CASCADE;--> statement-breakpoint
DROP FUNCTION ledger_account_guard() CASCADE;--> statement-breakpoint
DROP TRIGGER ledger_tx_append_only ON ledger_tx;--> statement-breakpoint
DROP TRIGGER ledger_entry_append_only ON ledger_entry;--> statement-breakpoint
-- What the house has of each kind is the sum of its transfers.
ALTER TABLE ledger_account DISABLE TRIGGER ledger_account_stays;--> statement-breakpoint
DELETE FROM ledger_account WHERE user_id IS NULL;--> statement-breakpoint
ALTER TABLE ledger_account ENABLE TRIGGER ledger_account_stays;--> statement-breakpoint
-- Valid from now on; the rows of before are looked at by ledger_checks, which keeps nobody out.
ALTER TABLE "hold" ADD CONSTRAINT "hold_settled" CHECK (("state" = 'active') = ("settled_at" is null) and ("charged_credits" is null) = ("settled_at" is null) and ("connected_seconds" is null) = ("settled_at" is null) and least("charged_credits", "connected_seconds") >= 0 and "charged_credits" <= "credits" and "credits" > 0 and "credits" <= "wanted_credits") NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_balance" CHECK ("held" >= 0 and case "kind" when 'debt' then greatest("posted", "held") <= 0 else "held" <= "posted" end) NOT VALID;--> statement-breakpoint
-- Kept as they were until the version after this one, and read by nobody.
ALTER TABLE ledger_tx RENAME TO ledger_tx_copied;--> statement-breakpoint
ALTER TABLE ledger_entry RENAME TO ledger_entry_copied;--> statement-breakpoint
-- What nodes of the version before read goes with that version: legs of users, and events. Those group by the id of an
-- event and read more of it, which PostgreSQL allows of a table with that key alone: transfers are read as its rows.
CREATE TABLE ledger_tx (
  id bigint PRIMARY KEY, kind text NOT NULL, idem_key text, body_hash text, cause text NOT NULL, call_id text,
  at timestamp with time zone NOT NULL
);--> statement-breakpoint
ALTER TABLE ledger_transfer INHERIT ledger_tx;--> statement-breakpoint
-- An event of several transfers meets each of its legs as many times, so that each time is that part of it, in so many
-- digits that what is missing from a whole number is 0 for whoever reads it as a float.
CREATE VIEW ledger_entry AS
  SELECT
    t.id, t.id AS tx_id, a.id AS account_id,
    CASE max(p.parts)
      WHEN 1 THEN sum(CASE a.kind WHEN t.credit THEN t.amount ELSE -t.amount END)
      ELSE trim_scale(
        sum(CASE a.kind WHEN t.credit THEN t.amount ELSE -t.amount END)::numeric(420, 400) / max(p.parts)
      )
    END AS credits,
    max(t.balance_after) AS balance_after
  FROM ledger_account a
    JOIN ledger_transfer t ON t.user_id = a.user_id AND a.kind IN (t.debit, t.credit)
    JOIN LATERAL (SELECT count(*) AS parts FROM ledger_transfer o WHERE o.id = t.id) p ON true
  GROUP BY a.id, t.id;--> statement-breakpoint
-- The rules of the same version (ledger/sql/), since nodes of the version before write between this and the replay.
-- Refuses an event in the form of before, begun by a function of before: its transaction is tried again with today's.
CREATE OR REPLACE FUNCTION books_retry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: the books are transfers now', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'serialization_failure';
END $$;--> statement-breakpoint
CREATE OR REPLACE TRIGGER ledger_tx_retried
  BEFORE INSERT OR UPDATE OR DELETE ON ledger_tx
  FOR EACH STATEMENT EXECUTE FUNCTION books_retry();--> statement-breakpoint
CREATE OR REPLACE TRIGGER ledger_entry_retried
  INSTEAD OF INSERT ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION books_retry();--> statement-breakpoint
-- Those that functions of before call, for one that waited for this migration. The replay drops them.
CREATE OR REPLACE FUNCTION books_house(kind text, person text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The house has no accounts: the books are transfers now' USING ERRCODE = 'serialization_failure';
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION books_post(
  kind text,
  key text,
  hash text,
  cause text,
  call text,
  accounts text[],
  credits bigint[]
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Legs are refused: the books are transfers now' USING ERRCODE = 'serialization_failure';
END $$;--> statement-breakpoint
-- A function of before that waited for this migration goes on in its old form, which moves no wallet any more.
CREATE OR REPLACE FUNCTION books_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  callers text;
BEGIN
  -- Alone in its condition, so that PostgreSQL needs no query for who may write.
  IF current_user <> 'parley_books' THEN
    -- Of the functions of before, which set no search_path.
    IF current_setting('search_path') <> 'pg_catalog, public, pg_temp' THEN
      GET DIAGNOSTICS callers = PG_CONTEXT;
      IF callers ~ '\mbooks_(hold|settle)\(' THEN
        RAISE EXCEPTION '% of % is refused: the books are transfers now', TG_OP, TG_TABLE_NAME
          USING ERRCODE = 'serialization_failure';
      END IF;
    END IF;
    IF EXISTS (
      SELECT FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner
      WHERE p.pronamespace = 'public'::regnamespace AND p.proname = 'books_settle' AND r.rolname = 'parley_books'
    ) THEN
      RAISE EXCEPTION '% of % is refused: only the functions of the books write here', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
    END IF;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE TRIGGER hold_guarded
  BEFORE INSERT OR UPDATE ON hold
  FOR EACH STATEMENT EXECUTE FUNCTION books_guard();--> statement-breakpoint
-- The lock of a person's books: whatever moves the person's credits takes it first, but for a settlement
-- (books_settle.sql).
CREATE OR REPLACE FUNCTION books_lock(
  person text,
  OUT available bigint,
  OUT debt bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  SELECT a.posted - a.held INTO available FROM ledger_account a WHERE a.id = 'wallet:' || person FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'User % has no wallet', person USING ERRCODE = 'foreign_key_violation';
  END IF;
  -- Not in the same query: that would show the debt as it was before the wait for the lock.
  SELECT -a.posted INTO debt FROM ledger_account a WHERE a.id = 'debt:' || person;
END $$;--> statement-breakpoint
-- Remembers a wallet that fell below 3 credits (LOW_BALANCE_CREDITS) until it has been there again.
CREATE OR REPLACE FUNCTION books_low(person text, posted_before bigint, posted_after bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF posted_before >= 3 AND posted_after < 3 THEN
    INSERT INTO low_balance (user_id) VALUES (person) ON CONFLICT (user_id) DO NOTHING;
  ELSIF posted_before < 3 AND posted_after >= 3 THEN
    DELETE FROM low_balance WHERE user_id = person;
  END IF;
END $$;--> statement-breakpoint
-- Writes an event of a person once for its key, as one transfer or several, and moves the person's accounts. Answers
-- 'written', 'repeated' (an equal one stands there) or 'mismatch' (another one does). Transfers of 0 credits are left
-- out. Callers have the wallet locked, so ids ascend in the order of a person's events.
CREATE OR REPLACE FUNCTION books_post(
  person text,
  kind text,
  key text,
  hash text,
  cause text,
  debit text[],
  credit text[],
  amounts bigint[]
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  event CONSTANT bigint := nextval('ledger_transfer_id');
  in_wallet bigint;
  to_wallet bigint;
  to_debt bigint;
BEGIN
  SELECT
    coalesce(sum(CASE 'wallet' WHEN t.credit THEN t.amount WHEN t.debit THEN -t.amount ELSE 0 END), 0),
    coalesce(sum(CASE 'debt' WHEN t.credit THEN t.amount WHEN t.debit THEN -t.amount ELSE 0 END), 0)
  INTO to_wallet, to_debt
  FROM unnest(debit, credit, amounts) AS t (debit, credit, amount);
  SELECT a.posted INTO in_wallet FROM ledger_account a WHERE a.id = 'wallet:' || person;

  -- The first part bears the key: whoever writes the same one waits here for its commit.
  FOR n IN 1..2 LOOP
    INSERT INTO ledger_transfer
      (id, part, user_id, kind, debit, credit, amount, balance_after, idem_key, body_hash, cause)
    SELECT
      event, p.part, person, books_post.kind, p.debit, p.credit, p.amount, in_wallet + to_wallet,
      CASE p.part WHEN 1 THEN key END, CASE p.part WHEN 1 THEN hash END, books_post.cause
    FROM (
      SELECT t.*, row_number() OVER (ORDER BY t.place) AS part
      FROM unnest(books_post.debit, books_post.credit, amounts) WITH ORDINALITY AS t (debit, credit, amount, place)
      WHERE t.amount <> 0
    ) p
    WHERE (p.part = 1) = (n = 1)
    ON CONFLICT (idem_key) DO NOTHING;
    IF n = 1 AND NOT FOUND THEN
      RETURN (
        SELECT CASE t.body_hash WHEN hash THEN 'repeated' ELSE 'mismatch' END
        FROM ledger_transfer t WHERE t.idem_key = key
      );
    END IF;
  END LOOP;

  UPDATE ledger_account a SET posted = a.posted + to_wallet WHERE a.id = 'wallet:' || person AND to_wallet <> 0;
  UPDATE ledger_account a SET posted = a.posted + to_debt WHERE a.id = 'debt:' || person AND to_debt <> 0;
  PERFORM books_low(person, in_wallet, in_wallet + to_wallet);
  RETURN 'written';
END $$;--> statement-breakpoint
-- Pays what is owed with credits that came free. Answers what remains available.
CREATE OR REPLACE FUNCTION books_repay(
  person text,
  cause_key text,
  debt bigint,
  available bigint
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  repaid CONSTANT bigint := least(debt, available);
  key CONSTANT text := 'repay:' || cause_key;
BEGIN
  IF repaid > 0 AND books_post(
    person,
    'repay',
    key,
    encode(sha256(convert_to(key || ' ' || repaid, 'UTF8')), 'hex'),
    'Credits owed after a refund',
    ARRAY['wallet'],
    ARRAY['debt'],
    ARRAY[repaid]
  ) <> 'written' THEN
    RAISE EXCEPTION 'Event % was written before what caused it', key USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN available - greatest(repaid, 0);
END $$;--> statement-breakpoint
-- Sets credits aside for a call: those wanted, or all there are if that is less. Answers 'written', 'repeated',
-- 'mismatch', 'debt' (with what is owed) or 'insufficient'.
CREATE OR REPLACE FUNCTION books_hold(
  call text,
  person text,
  wanted bigint,
  expires timestamptz,
  OUT outcome text,
  OUT credits bigint,
  OUT available bigint,
  OUT debt bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  earlier hold;
BEGIN
  SELECT l.available, l.debt INTO available, debt FROM books_lock(person) l;
  SELECT * INTO earlier FROM hold h WHERE h.call_id = call;
  IF FOUND THEN
    outcome := CASE
      WHEN earlier.user_id = person AND earlier.wanted_credits = wanted THEN 'repeated'
      ELSE 'mismatch'
    END;
    credits := earlier.credits;
  ELSIF debt > 0 THEN
    outcome := 'debt';
  ELSIF available < 1 THEN
    outcome := 'insufficient';
  ELSE
    outcome := 'written';
    credits := least(wanted, available);
    available := available - credits;
    INSERT INTO hold (call_id, user_id, wanted_credits, credits, expires_at)
    VALUES (call, person, wanted, books_hold.credits, expires);
    UPDATE ledger_account a SET held = a.held + books_hold.credits WHERE a.id = 'wallet:' || person;
  END IF;
END $$;--> statement-breakpoint
-- Moves credits between a person and the house: bought ones against sales, gifts against promo, the operator's against
-- writeoff. What is taken beyond what is available becomes debt where that is allowed, and is 'insufficient' elsewhere.
-- Else it answers as books_post does.
CREATE OR REPLACE FUNCTION books_move(
  person text,
  kind text,
  key text,
  hash text,
  cause text,
  bought bigint,
  given bigint,
  written bigint,
  may_owe boolean,
  OUT outcome text,
  OUT available bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  houses CONSTANT text[] := ARRAY['sales', 'promo', 'writeoff'];
  moved CONSTANT bigint[] := ARRAY[bought, given, written];
  total CONSTANT bigint := bought + given + written;
  debit text[] := '{}';
  credit text[] := '{}';
  amounts bigint[] := '{}';
  debt bigint;
  owed bigint;
  -- What the wallet pays of all that is taken; the debt pays the rest.
  from_wallet bigint;
  paid bigint;
BEGIN
  SELECT l.available, l.debt INTO available, debt FROM books_lock(person) l;
  owed := greatest(0, -total - available);
  IF owed > 0 AND NOT may_owe AND NOT EXISTS (SELECT FROM ledger_transfer t WHERE t.idem_key = key) THEN
    outcome := 'insufficient';
    RETURN;
  END IF;
  from_wallet := -least(0, bought) - least(0, given) - least(0, written) - owed;
  FOR n IN 1..3 LOOP
    paid := least(-least(0, moved[n]), from_wallet);
    from_wallet := from_wallet - paid;
    debit := debit || ARRAY[houses[n], 'wallet', 'debt'];
    credit := credit || ARRAY['wallet', houses[n], houses[n]];
    amounts := amounts || ARRAY[greatest(0, moved[n]), paid, -least(0, moved[n]) - paid];
  END LOOP;
  outcome := books_post(
    person,
    kind,
    key,
    hash,
    CASE WHEN owed > 0 THEN cause || ' (' || owed || ' owed)' ELSE cause END,
    debit,
    credit,
    amounts
  );
  IF outcome = 'written' THEN
    available := books_repay(person, key, debt + owed, available + total + owed);
  END IF;
END $$;--> statement-breakpoint
-- Charges a call what it may cost, never more than it held, and frees the rest. Answers 'written', 'repeated',
-- 'mismatch' or 'missing'. Only one settlement can settle the hold, which is the idempotency; then the wallet gives up
-- what was held and pays in one UPDATE, and one transfer says so (docs/decisions/0063).
CREATE OR REPLACE FUNCTION books_settle(
  call text,
  seconds bigint,
  cost bigint,
  OUT outcome text,
  OUT charged bigint,
  OUT available bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  person text;
  freed bigint;
  in_wallet bigint;
  earlier bigint;
  owed bigint;
BEGIN
  UPDATE hold h
  SET
    state = 'settled',
    connected_seconds = seconds,
    charged_credits = least(h.credits, cost),
    settled_at = clock_timestamp()
  WHERE h.call_id = call AND h.state = 'active'
  RETURNING h.user_id, h.credits, h.charged_credits INTO person, freed, charged;
  IF NOT FOUND THEN
    SELECT h.user_id, h.connected_seconds, h.charged_credits INTO person, earlier, charged
    FROM hold h WHERE h.call_id = call;
    outcome := CASE WHEN NOT FOUND THEN 'missing' WHEN earlier = seconds THEN 'repeated' ELSE 'mismatch' END;
    SELECT a.posted - a.held INTO available FROM ledger_account a WHERE a.id = 'wallet:' || person;
    RETURN;
  END IF;

  UPDATE ledger_account a
  SET posted = a.posted - charged, held = a.held - freed
  WHERE a.id = 'wallet:' || person
  RETURNING a.posted, a.posted - a.held INTO in_wallet, available;
  IF charged > 0 THEN
    INSERT INTO ledger_transfer
      (id, user_id, kind, debit, credit, amount, balance_after, idem_key, cause, call_id)
    VALUES (
      nextval('ledger_transfer_id'), person, 'settle', 'wallet', 'usage', charged, in_wallet, 'call:' || call,
      format('Call of %sm %ss', seconds / 60, seconds % 60), call
    );
    -- Asked here, since a call costs as much as a tenth of a settlement.
    IF in_wallet < 3 AND in_wallet + charged >= 3 THEN
      PERFORM books_low(person, in_wallet + charged, in_wallet);
    END IF;
  END IF;

  -- Who owes had nothing available before, so only what came free now can repay.
  IF available > 0 AND available = freed - charged THEN
    SELECT -a.posted INTO owed FROM ledger_account a WHERE a.id = 'debt:' || person;
    available := books_repay(person, 'call:' || call, owed, available);
  END IF;
  outcome := 'written';
END $$;--> statement-breakpoint
-- The role of the books owns them from now on, so that what runs while ledger_rights.sql takes everybody else's rights
-- goes on. It may fail as there.
DO $$
DECLARE
  called regprocedure;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'parley_books') THEN
    BEGIN
      CREATE ROLE parley_books NOLOGIN;
      IF current_setting('server_version_num')::int >= 160000 THEN
        EXECUTE format('GRANT parley_books TO %I WITH INHERIT FALSE, SET TRUE', current_user);
      END IF;
    EXCEPTION
      WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  GRANT USAGE ON SCHEMA public TO parley_books;
  GRANT SELECT, INSERT ON ledger_transfer TO parley_books;
  GRANT SELECT, INSERT, UPDATE ON hold TO parley_books;
  GRANT SELECT, UPDATE ON ledger_account TO parley_books;
  GRANT SELECT, INSERT, DELETE ON low_balance TO parley_books;
  GRANT USAGE ON SEQUENCE ledger_transfer_id TO parley_books;
  FOR called IN
    SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.proname LIKE 'books\_%' AND p.prosecdef
  LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO parley_books', called);
  END LOOP;
EXCEPTION
  WHEN insufficient_privilege THEN NULL;
END $$;
