-- Settles calls that end together as books_settle does each, in one statement for all of their holds, wallets and
-- transfers. Holds, then wallets, are locked in ascending order, so that no two groups wait for each other. Answers a row
-- for each call; `available` is what its user has after all of them.
CREATE OR REPLACE FUNCTION books_settle_many(
  calls text[],
  durations bigint[],
  costs bigint[]
) RETURNS TABLE (call text, outcome text, charged bigint, available bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wallet record;
  settled text[] := '{}';
  owed bigint;
BEGIN
  PERFORM FROM hold h WHERE h.call_id = ANY (calls) ORDER BY h.call_id FOR NO KEY UPDATE;
  PERFORM FROM ledger_account a
  WHERE a.id IN (SELECT 'wallet:' || h.user_id FROM hold h WHERE h.call_id = ANY (calls))
  ORDER BY a.id FOR NO KEY UPDATE;

  FOR wallet IN
    WITH flipped AS (
      UPDATE hold h
      SET
        state = 'settled',
        connected_seconds = c.seconds,
        charged_credits = least(h.credits, c.cost),
        settled_at = clock_timestamp()
      FROM unnest(calls, durations, costs) AS c (call, seconds, cost)
      WHERE h.call_id = c.call AND h.state = 'active'
      RETURNING h.call_id, h.user_id, h.credits, h.connected_seconds AS seconds, h.charged_credits AS charge
    ), sums AS (
      SELECT
        f.user_id, array_agg(f.call_id) AS calls, sum(f.credits)::bigint AS freed, sum(f.charge)::bigint AS charge,
        min(f.call_id) AS first_call
      FROM flipped f GROUP BY f.user_id
    ), moved AS (
      UPDATE ledger_account a SET posted = a.posted - s.charge, held = a.held - s.freed
      FROM sums s WHERE a.id = 'wallet:' || s.user_id
      RETURNING a.user_id, a.posted, a.posted - a.held AS left_over, s.calls, s.freed, s.charge, s.first_call
    ), written AS (
      INSERT INTO ledger_transfer
        (id, user_id, kind, debit, credit, amount, balance_after, idem_key, cause, call_id)
      SELECT
        nextval('ledger_transfer_id'), t.user_id, 'settle', 'wallet', 'usage', t.charge, t.balance_after,
        'call:' || t.call_id, format('Call of %sm %ss', t.seconds / 60, t.seconds % 60), t.call_id
      FROM (
        SELECT
          f.*,
          m.posted + m.charge - sum(f.charge) OVER (PARTITION BY f.user_id ORDER BY f.call_id) AS balance_after
        FROM flipped f JOIN moved m ON m.user_id = f.user_id
        WHERE f.charge > 0
        ORDER BY f.call_id
      ) t
    )
    SELECT m.* FROM moved m
  LOOP
    settled := settled || wallet.calls;
    IF wallet.posted < 3 AND wallet.posted + wallet.charge >= 3 THEN
      PERFORM books_low(wallet.user_id, wallet.posted + wallet.charge, wallet.posted);
    END IF;
    -- Who owes had nothing available before, so only what came free now can repay.
    IF wallet.left_over > 0 AND wallet.left_over = wallet.freed - wallet.charge THEN
      SELECT -a.posted INTO owed FROM ledger_account a WHERE a.id = 'debt:' || wallet.user_id;
      PERFORM books_repay(wallet.user_id, 'call:' || wallet.first_call, owed, wallet.left_over);
    END IF;
  END LOOP;

  RETURN QUERY
  SELECT
    c.call,
    CASE
      WHEN h.call_id IS NULL THEN 'missing'
      WHEN h.call_id = ANY (settled) THEN 'written'
      WHEN h.connected_seconds = c.seconds THEN 'repeated'
      ELSE 'mismatch'
    END,
    h.charged_credits,
    a.posted - a.held
  FROM unnest(calls, durations) AS c (call, seconds)
    LEFT JOIN hold h ON h.call_id = c.call
    LEFT JOIN ledger_account a ON a.id = 'wallet:' || h.user_id;
END $$;
