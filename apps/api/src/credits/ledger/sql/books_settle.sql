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
END $$;
