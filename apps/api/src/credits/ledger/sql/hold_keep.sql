-- Whose a hold is, for which call and of how much, never changes.
CREATE OR REPLACE FUNCTION hold_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: a hold keeps its size', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE OR REPLACE TRIGGER hold_is_kept
  BEFORE UPDATE OF call_id, user_id, wanted_credits, credits, created_at ON hold
  FOR EACH STATEMENT EXECUTE FUNCTION hold_keep();
