-- Gives the books' functions to a role of their own and takes from everybody else, also from the tables' owner, the right
-- to write what they write. Answers whether it could: where the database user may not create the role, the books work
-- without it (docs/hosting.md). Can be called again, also after a restore.
CREATE OR REPLACE FUNCTION ledger_rights() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  inner_ones CONSTANT text[] := ARRAY['books_lock', 'books_low', 'books_post', 'books_repay'];
  owned record;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'parley_books') THEN
    BEGIN
      CREATE ROLE parley_books NOLOGIN;
      -- Who is no superuser may become the role, and has no rights of it before.
      IF current_setting('server_version_num')::int >= 160000 THEN
        EXECUTE format('GRANT parley_books TO %I WITH INHERIT FALSE, SET TRUE', current_user);
      END IF;
    EXCEPTION
      -- Of another database of this server, at the same moment.
      WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;

  FOR owned IN
    SELECT p.oid::regprocedure AS called, p.proname FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner
    WHERE p.pronamespace = 'public'::regnamespace AND p.proname LIKE 'books\_%' AND p.prosecdef
      -- A superuser's replay leaves them with their owner.
      AND (r.rolname = current_user OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user))
  LOOP
    -- What the others call is for them alone.
    IF owned.proname = ANY (inner_ones) THEN
      EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', owned.called);
    END IF;
    EXECUTE format('ALTER FUNCTION %s OWNER TO parley_books', owned.called);
  END LOOP;
  REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON ledger_transfer, hold FROM PUBLIC, CURRENT_USER;
  REVOKE UPDATE, DELETE, TRUNCATE ON ledger_account FROM PUBLIC, CURRENT_USER;
  GRANT USAGE ON SCHEMA public TO parley_books;
  GRANT SELECT, INSERT ON ledger_transfer TO parley_books;
  GRANT SELECT, INSERT, UPDATE ON hold TO parley_books;
  GRANT SELECT, UPDATE ON ledger_account TO parley_books;
  GRANT SELECT, INSERT, DELETE ON low_balance TO parley_books;
  GRANT USAGE ON SEQUENCE ledger_transfer_id TO parley_books;
  RETURN true;
EXCEPTION
  WHEN insufficient_privilege THEN RETURN false;
END $$;

SELECT ledger_rights();
