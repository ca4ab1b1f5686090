-- What a hold holds, its wallet holds, which never holds more than it has. A hold begins active and is settled once,
-- with the seconds of its call and a charge of at most what it holds.
CREATE OR REPLACE FUNCTION hold_move() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'active' OR num_nulls(NEW.connected_seconds, NEW.charged_credits, NEW.settled_at) < 3 THEN
      RAISE EXCEPTION 'The hold of call % must begin active', NEW.call_id
        USING ERRCODE = 'integrity_constraint_violation';
    ELSIF NEW.credits NOT BETWEEN 1 AND NEW.wanted_credits THEN
      RAISE EXCEPTION 'The hold of call % must be of 1 to the % credits that are wanted, not of %',
        NEW.call_id, NEW.wanted_credits, NEW.credits
        USING ERRCODE = 'check_violation';
    END IF;
    change := NEW.credits;
  ELSIF OLD.state <> 'active' THEN
    RAISE EXCEPTION 'The hold of call % is settled once', OLD.call_id USING ERRCODE = 'integrity_constraint_violation';
  ELSIF (
    NEW.state = 'settled'
    AND NEW.charged_credits BETWEEN 0 AND NEW.credits
    AND NEW.connected_seconds >= 0
    AND NEW.settled_at IS NOT NULL
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'The hold of call % is settled with its seconds and a charge of 0 to % credits, or not at all',
      NEW.call_id, NEW.credits
      USING ERRCODE = 'check_violation';
  ELSE
    change := -NEW.credits;
  END IF;

  UPDATE ledger_account
  SET held = held + change
  WHERE id = 'wallet:' || NEW.user_id AND held + change BETWEEN 0 AND posted;
  IF NOT FOUND THEN
    IF EXISTS (SELECT FROM ledger_account WHERE id = 'wallet:' || NEW.user_id) THEN
      RAISE EXCEPTION 'The hold of call % is refused: the wallet of user % has less than that',
        NEW.call_id, NEW.user_id
        USING ERRCODE = 'check_violation';
    END IF;
    RAISE EXCEPTION 'User % has no wallet', NEW.user_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER hold_moves
  AFTER INSERT OR UPDATE ON hold
  FOR EACH ROW EXECUTE FUNCTION hold_move();
