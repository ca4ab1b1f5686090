-- Makes way for a replay by a database user who owns the books' functions no longer and is no superuser: drops them as
-- the role that does, so that the files after this one make them anew.
CREATE OR REPLACE FUNCTION books_again() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  role_before CONSTANT text := current_setting('role');
  owned regprocedure;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'parley_books')
    OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    RETURN;
  END IF;
  FOR owned IN
    SELECT p.oid FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner
    WHERE p.pronamespace = 'public'::regnamespace AND r.rolname = 'parley_books'
  LOOP
    PERFORM set_config('role', 'parley_books', true);
    EXECUTE format('DROP FUNCTION %s', owned);
    PERFORM set_config('role', role_before, true);
  END LOOP;
END $$;

SELECT books_again();
