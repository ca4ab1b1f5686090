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
END $$;
