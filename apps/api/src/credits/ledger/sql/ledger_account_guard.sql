-- Refuses to update an account by hand: only the triggers of legs (ledger_entry_post.sql) and holds (hold_move.sql) do,
-- and each moves it only to where it may stand. Called by their UPDATE, this trigger is at the depth 2.
CREATE OR REPLACE FUNCTION ledger_account_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION '% of % is refused: only entries and holds move an account', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER ledger_account_guarded
  BEFORE UPDATE ON ledger_account
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_account_guard();
