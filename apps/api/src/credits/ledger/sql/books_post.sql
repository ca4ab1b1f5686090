-- Writes an event once for its key. Answers 'written', 'repeated' (an equal one stands there) or 'mismatch' (another
-- one does). Legs of 0 credits are left out. Callers name the wallet first and then the other accounts in alphabetical
-- order, so that no two events wait for each other. They have the wallet locked, so what it has afterwards is known.
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
END $$;
