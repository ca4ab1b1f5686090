-- Posts a leg: moves its account by it, within the transaction that writes the event. A leg moves something, a wallet
-- keeps what it holds, and a debt is never a credit. A leg of a person says what the wallet has after the event, which
-- the statement shows; a leg of the house says nothing. A wallet that falls below 3 credits (LOW_BALANCE_CREDITS) is
-- remembered in low_balance until it has been there again.
CREATE OR REPLACE FUNCTION ledger_entry_post() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  low CONSTANT bigint := 3;
  person text;
  in_wallet bigint;
BEGIN
  UPDATE ledger_account a
  SET posted = a.posted + NEW.credits
  WHERE a.id = NEW.account_id
    AND NEW.credits <> 0
    AND CASE a.kind
      WHEN 'wallet' THEN a.posted + NEW.credits >= a.held AND a.posted + NEW.credits = NEW.balance_after
      WHEN 'debt' THEN a.posted + NEW.credits <= 0
        AND NEW.balance_after = (SELECT w.posted FROM ledger_account w WHERE w.id = 'wallet:' || a.user_id)
      ELSE NEW.balance_after IS NULL
    END
    AND EXISTS (SELECT FROM ledger_tx t WHERE t.id = NEW.tx_id AND t.written_by = pg_current_xact_id())
  RETURNING a.user_id, CASE a.kind WHEN 'wallet' THEN a.posted END INTO person, in_wallet;

  -- Which of the conditions it was, for the message alone.
  IF NOT FOUND THEN
    IF NOT EXISTS (SELECT FROM ledger_tx t WHERE t.id = NEW.tx_id AND t.written_by = pg_current_xact_id()) THEN
      RAISE EXCEPTION 'Event % takes no more legs', NEW.tx_id USING ERRCODE = 'integrity_constraint_violation';
    ELSIF NOT EXISTS (SELECT FROM ledger_account a WHERE a.id = NEW.account_id) THEN
      RAISE EXCEPTION 'There is no account_id %', NEW.account_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    -- Begun under the rules of before, which named no balance: the transaction is tried again under these.
    IF NEW.balance_after IS NULL AND split_part(NEW.account_id, ':', 1) IN ('wallet', 'debt') THEN
      RAISE EXCEPTION 'A leg on % names the balance after it', NEW.account_id USING ERRCODE = 'serialization_failure';
    END IF;
    RAISE EXCEPTION
      'A leg of % credits on % is refused: a leg moves something, a wallet keeps what it holds, '
      'a debt is never a credit, and the balance after it is the one named',
      NEW.credits, NEW.account_id USING ERRCODE = 'check_violation';
  END IF;

  -- For an account that is no wallet, in_wallet is null and neither branch writes.
  IF in_wallet < low THEN
    IF in_wallet - NEW.credits >= low THEN
      INSERT INTO low_balance (user_id) VALUES (person) ON CONFLICT (user_id) DO NOTHING;
    END IF;
  ELSIF in_wallet - NEW.credits < low THEN
    DELETE FROM low_balance WHERE user_id = person;
  END IF;
  RETURN NULL;
END $$;

-- AFTER, because a BEFORE trigger also fires for a row that ON CONFLICT DO NOTHING then drops.
CREATE OR REPLACE TRIGGER ledger_entry_posts
  AFTER INSERT ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION ledger_entry_post();
