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
) LANGUAGE plpgsql AS $$
DECLARE
  total bigint := bought + given + written;
  owed bigint;
  debt bigint;
BEGIN
  SELECT l.available, l.debt INTO available, debt FROM books_lock(person) l;
  owed := greatest(0, -total - available);
  IF owed > 0 AND NOT may_owe AND NOT EXISTS (SELECT FROM ledger_tx t WHERE t.idem_key = key) THEN
    outcome := 'insufficient';
    RETURN;
  END IF;
  outcome := books_post(
    kind,
    key,
    hash,
    CASE WHEN owed > 0 THEN cause || ' (' || owed || ' owed)' ELSE cause END,
    NULL,
    ARRAY[
      'wallet:' || person,
      'debt:' || person,
      books_house('promo', person),
      books_house('sales', person),
      books_house('writeoff', person)
    ],
    ARRAY[total + owed, -owed, -given, -bought, -written]
  );
  IF outcome = 'written' THEN
    available := books_repay(person, key, debt + owed, available + total + owed);
  END IF;
END $$;
