-- The lock of a person's books: whatever moves the person's credits takes it first, but for a settlement
-- (books_settle.sql).
CREATE OR REPLACE FUNCTION books_lock(
  person text,
  OUT available bigint,
  OUT debt bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  SELECT a.posted - a.held INTO available FROM ledger_account a WHERE a.id = 'wallet:' || person FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'User % has no wallet', person USING ERRCODE = 'foreign_key_violation';
  END IF;
  -- Not in the same query: that would show the debt as it was before the wait for the lock.
  SELECT -a.posted INTO debt FROM ledger_account a WHERE a.id = 'debt:' || person;
END $$;
