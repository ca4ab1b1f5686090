ALTER TABLE "ledger_entry" ADD COLUMN "balance_after" bigint;--> statement-breakpoint
-- The rows of before, from what they sum to. Nobody writes a leg meanwhile: the column's lock lasts until the commit.
ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_append_only;--> statement-breakpoint
UPDATE ledger_entry e SET balance_after = b.balance
FROM ledger_account o, (
  SELECT a.user_id, l.tx_id,
    sum(sum(CASE a.kind WHEN 'wallet' THEN l.credits ELSE 0 END)) OVER (PARTITION BY a.user_id ORDER BY l.tx_id) AS balance
  FROM ledger_entry l JOIN ledger_account a ON a.id = l.account_id
  WHERE a.user_id IS NOT NULL
  GROUP BY a.user_id, l.tx_id
) b
WHERE o.user_id = b.user_id AND e.tx_id = b.tx_id AND e.account_id = o.id;--> statement-breakpoint
ALTER TABLE ledger_entry ENABLE TRIGGER ledger_entry_append_only;--> statement-breakpoint
-- The rules of the same version (ledger/sql/), since nodes of the version before write between this and the replay.
CREATE OR REPLACE FUNCTION books_post(
  kind text,
  key text,
  hash text,
  cause text,
  call text,
  accounts text[],
  credits bigint[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  tx bigint;
  after_it bigint;
BEGIN
  INSERT INTO ledger_tx (kind, idem_key, body_hash, cause, call_id)
  VALUES (kind, key, hash, cause, call)
  ON CONFLICT (idem_key) DO NOTHING
  RETURNING id INTO tx;
  IF tx IS NULL THEN
    RETURN (
      SELECT CASE t.body_hash WHEN hash THEN 'repeated' ELSE 'mismatch' END FROM ledger_tx t WHERE t.idem_key = key
    );
  END IF;
  SELECT a.posted + credits[1] INTO after_it FROM ledger_account a WHERE a.id = accounts[1];
  INSERT INTO ledger_entry (tx_id, account_id, credits, balance_after)
  SELECT tx, leg.account, leg.amount, CASE WHEN split_part(leg.account, ':', 1) IN ('wallet', 'debt') THEN after_it END
  FROM unnest(accounts, credits) AS leg (account, amount) WHERE leg.amount <> 0;
  RETURN 'written';
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION books_settle(
  call text,
  seconds bigint,
  cost bigint,
  OUT outcome text,
  OUT charged bigint,
  OUT available bigint
) LANGUAGE plpgsql AS $$
DECLARE
  person text;
  event bigint;
  in_wallet bigint;
  in_calls bigint;
  owed bigint;
  earlier bigint;
  key text := 'call:' || call;
BEGIN
  UPDATE hold h
  SET
    state = 'settled',
    connected_seconds = seconds,
    charged_credits = least(h.credits, cost),
    settled_at = clock_timestamp()
  WHERE h.call_id = call AND h.state = 'active'
  RETURNING h.user_id, h.charged_credits INTO person, charged;

  IF FOUND THEN
    outcome := 'written';
  ELSE
    SELECT h.user_id, h.connected_seconds, h.charged_credits INTO person, earlier, charged
    FROM hold h WHERE h.call_id = call;
    outcome := CASE WHEN NOT FOUND THEN 'missing' WHEN earlier = seconds THEN 'repeated' ELSE 'mismatch' END;
  END IF;

  SELECT w.posted, w.held, -d.posted INTO in_wallet, in_calls, owed
  FROM ledger_account w, ledger_account d
  WHERE w.id = 'wallet:' || person AND d.id = 'debt:' || person;
  IF outcome = 'written' THEN
    IF charged > 0 THEN
      in_wallet := in_wallet - charged;
      INSERT INTO ledger_tx (kind, idem_key, body_hash, cause, call_id)
      VALUES (
        'settle',
        key,
        encode(sha256(convert_to(key || ' ' || seconds, 'UTF8')), 'hex'),
        format('Call of %sm %ss', seconds / 60, seconds % 60),
        call
      )
      RETURNING id INTO event;
      INSERT INTO ledger_entry (tx_id, account_id, credits, balance_after)
      VALUES
        (event, 'wallet:' || person, -charged, in_wallet),
        (event, books_house('usage', person), charged, NULL);
    END IF;
  END IF;

  available := in_wallet - in_calls;
  IF outcome = 'written' AND owed > 0 THEN
    available := books_repay(person, key, owed, available);
  END IF;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION ledger_entry_post() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  low CONSTANT bigint := 3;
  person text;
  in_wallet bigint;
BEGIN
  UPDATE ledger_account a
  SET posted = a.posted + NEW.credits
  WHERE a.id = NEW.account_id
    AND NEW.credits <> 0
    AND CASE a.kind
      WHEN 'wallet' THEN a.posted + NEW.credits >= a.held AND a.posted + NEW.credits = NEW.balance_after
      WHEN 'debt' THEN a.posted + NEW.credits <= 0
        AND NEW.balance_after = (SELECT w.posted FROM ledger_account w WHERE w.id = 'wallet:' || a.user_id)
      ELSE NEW.balance_after IS NULL
    END
    AND EXISTS (SELECT FROM ledger_tx t WHERE t.id = NEW.tx_id AND t.written_by = pg_current_xact_id())
  RETURNING a.user_id, CASE a.kind WHEN 'wallet' THEN a.posted END INTO person, in_wallet;

  -- Which of the conditions it was, for the message alone.
  IF NOT FOUND THEN
    IF NOT EXISTS (SELECT FROM ledger_tx t WHERE t.id = NEW.tx_id AND t.written_by = pg_current_xact_id()) THEN
      RAISE EXCEPTION 'Event % takes no more legs', NEW.tx_id USING ERRCODE = 'integrity_constraint_violation';
    ELSIF NOT EXISTS (SELECT FROM ledger_account a WHERE a.id = NEW.account_id) THEN
      RAISE EXCEPTION 'There is no account_id %', NEW.account_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    -- Begun under the rules of before, which named no balance: the transaction is tried again under these.
    IF NEW.balance_after IS NULL AND split_part(NEW.account_id, ':', 1) IN ('wallet', 'debt') THEN
      RAISE EXCEPTION 'A leg on % names the balance after it', NEW.account_id USING ERRCODE = 'serialization_failure';
    END IF;
    RAISE EXCEPTION
      'A leg of % credits on % is refused: a leg moves something, a wallet keeps what it holds, '
      'a debt is never a credit, and the balance after it is the one named',
      NEW.credits, NEW.account_id USING ERRCODE = 'check_violation';
  END IF;

  -- For an account that is no wallet, in_wallet is null and neither branch writes.
  IF in_wallet < low THEN
    IF in_wallet - NEW.credits >= low THEN
      INSERT INTO low_balance (user_id) VALUES (person) ON CONFLICT (user_id) DO NOTHING;
    END IF;
  ELSIF in_wallet - NEW.credits < low THEN
    DELETE FROM low_balance WHERE user_id = person;
  END IF;
  RETURN NULL;
END $$;
