-- Judges an event at the commit, when all its legs are there: two or more that sum to 0, written by this transaction
-- (no other can add legs), of a kind that there is; a charge names its call.
CREATE OR REPLACE FUNCTION ledger_tx_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  legs bigint;
  total numeric;
BEGIN
  SELECT count(*), coalesce(sum(credits), 0) INTO legs, total FROM ledger_entry WHERE tx_id = NEW.id;
  IF legs < 2 OR total <> 0 OR NEW.written_by <> pg_current_xact_id() THEN
    RAISE EXCEPTION 'Event % has % legs that sum to %: it needs two or more that sum to 0', NEW.id, legs, total
      USING ERRCODE = 'integrity_constraint_violation';
  ELSIF NEW.kind NOT IN ('grant', 'purchase', 'settle', 'clawback', 'repay', 'adjust')
    OR NEW.kind = 'settle' AND NEW.call_id IS NULL THEN
    RAISE EXCEPTION 'Event % of the kind % is refused: there is no such kind, or it names no call', NEW.id, NEW.kind
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

-- PostgreSQL replaces no constraint trigger. Nobody sees the table without it: a replay is one transaction.
DROP TRIGGER IF EXISTS ledger_tx_balances ON ledger_tx;
CREATE CONSTRAINT TRIGGER ledger_tx_balances
  AFTER INSERT ON ledger_tx
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION ledger_tx_balance();
