-- Charges a call what it may cost, never more than it held, and frees the rest. Answers 'written', 'repeated',
-- 'mismatch' or 'missing'. The hold is settled first, for only one settlement can; that frees the wallet
-- (hold_move.sql), and so locks it before the house's account, as everywhere.
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
END $$;
