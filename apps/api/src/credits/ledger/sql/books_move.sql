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
END $$;
