-- Judges a new account: it opens at zero, and its name says what it is and whose. What an account is never changes
-- afterwards (books_refuse.sql), so it is judged here once, and not in a CHECK that every UPDATE would read.
CREATE OR REPLACE FUNCTION ledger_account_open() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.posted <> 0 OR NEW.held <> 0 THEN
    RAISE EXCEPTION '% of account % is refused: only the functions of the books move an account', TG_OP, NEW.id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.kind IN ('wallet', 'debt') AND NEW.id = NEW.kind || ':' || NEW.user_id THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'There is no account % of the kind % for user %', NEW.id, NEW.kind, NEW.user_id
    USING ERRCODE = 'check_violation';
END $$;

CREATE OR REPLACE TRIGGER ledger_account_opens
  AFTER INSERT ON ledger_account
  FOR EACH ROW EXECUTE FUNCTION ledger_account_open();
