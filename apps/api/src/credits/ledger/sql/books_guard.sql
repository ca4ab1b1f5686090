-- Refuses whoever is not a function of the books to write them, also a superuser: those functions run as the role that
-- owns them (ledger_rights.sql). Where the books have no role of their own, nobody is told apart. A function of the
-- version before that goes on after it waited for the migration would move no wallet: its transaction is tried again.
CREATE OR REPLACE FUNCTION books_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  callers text;
BEGIN
  -- Alone in its condition, so that PostgreSQL needs no query for who may write.
  IF current_user <> 'parley_books' THEN
    -- Of the functions of before, which set no search_path.
    IF current_setting('search_path') <> 'pg_catalog, public, pg_temp' THEN
      GET DIAGNOSTICS callers = PG_CONTEXT;
      IF callers ~ '\mbooks_(hold|settle)\(' THEN
        RAISE EXCEPTION '% of % is refused: the books are transfers now', TG_OP, TG_TABLE_NAME
          USING ERRCODE = 'serialization_failure';
      END IF;
    END IF;
    IF EXISTS (
      SELECT FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner
      WHERE p.pronamespace = 'public'::regnamespace AND p.proname = 'books_settle' AND r.rolname = 'parley_books'
    ) THEN
      RAISE EXCEPTION '% of % is refused: only the functions of the books write here', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
    END IF;
  END IF;
  RETURN NULL;
END $$;

-- Making a trigger holds its table until the replay is committed: in the order in which a settlement writes them, so
-- that the two wait for each other without a deadlock. No earlier file makes one.
CREATE OR REPLACE TRIGGER hold_guarded
  BEFORE INSERT OR UPDATE ON hold
  FOR EACH STATEMENT EXECUTE FUNCTION books_guard();

CREATE OR REPLACE TRIGGER ledger_account_guarded
  BEFORE UPDATE ON ledger_account
  FOR EACH STATEMENT EXECUTE FUNCTION books_guard();

CREATE OR REPLACE TRIGGER ledger_transfer_guarded
  BEFORE INSERT ON ledger_transfer
  FOR EACH STATEMENT EXECUTE FUNCTION books_guard();
