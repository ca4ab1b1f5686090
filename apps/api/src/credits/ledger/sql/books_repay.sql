-- Pays what is owed with credits that came free. Answers what remains available.
CREATE OR REPLACE FUNCTION books_repay(
  person text,
  cause_key text,
  debt bigint,
  available bigint
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  repaid CONSTANT bigint := least(debt, available);
  key CONSTANT text := 'repay:' || cause_key;
BEGIN
  IF repaid > 0 AND books_post(
    person,
    'repay',
    key,
    encode(sha256(convert_to(key || ' ' || repaid, 'UTF8')), 'hex'),
    'Credits owed after a refund',
    ARRAY['wallet'],
    ARRAY['debt'],
    ARRAY[repaid]
  ) <> 'written' THEN
    RAISE EXCEPTION 'Event % was written before what caused it', key USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN available - greatest(repaid, 0);
END $$;
