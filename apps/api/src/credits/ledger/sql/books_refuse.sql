-- The books are only added to: transfers never change, holds and accounts never go away, and an account keeps its name,
-- kind and owner. Statement triggers cost nothing where nobody tries.
CREATE OR REPLACE FUNCTION books_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: the books are only added to', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE OR REPLACE TRIGGER ledger_transfer_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfer
  FOR EACH STATEMENT EXECUTE FUNCTION books_refuse();

-- A hold is settled, which is an UPDATE (books_settle.sql).
CREATE OR REPLACE TRIGGER hold_stays
  BEFORE DELETE OR TRUNCATE ON hold
  FOR EACH STATEMENT EXECUTE FUNCTION books_refuse();

-- An account's balances move.
CREATE OR REPLACE TRIGGER ledger_account_stays
  BEFORE DELETE OR TRUNCATE ON ledger_account
  FOR EACH STATEMENT EXECUTE FUNCTION books_refuse();

CREATE OR REPLACE TRIGGER ledger_account_is_kept
  BEFORE UPDATE OF id, kind, user_id ON ledger_account
  FOR EACH STATEMENT EXECUTE FUNCTION books_refuse();
