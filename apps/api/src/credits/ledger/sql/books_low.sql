-- Remembers a wallet that fell below 3 credits (LOW_BALANCE_CREDITS) until it has been there again.
CREATE OR REPLACE FUNCTION books_low(person text, posted_before bigint, posted_after bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF posted_before >= 3 AND posted_after < 3 THEN
    INSERT INTO low_balance (user_id) VALUES (person) ON CONFLICT (user_id) DO NOTHING;
  ELSIF posted_before < 3 AND posted_after >= 3 THEN
    DELETE FROM low_balance WHERE user_id = person;
  END IF;
END $$;
