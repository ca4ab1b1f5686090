-- Posts a leg: moves its account by it, within the transaction that writes the event. A leg moves something, a wallet
-- keeps what it holds, and a debt is never a credit. A wallet that falls below 3 credits (LOW_BALANCE_CREDITS) is
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
      WHEN 'wallet' THEN a.posted + NEW.credits >= a.held
      WHEN 'debt' THEN a.posted + NEW.credits <= 0
      ELSE true
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
    RAISE EXCEPTION
      'A leg of % credits on % is refused: a leg moves something, a wallet keeps what it holds, '
      'and a debt is never a credit',
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
