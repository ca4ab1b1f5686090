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
END $$;
