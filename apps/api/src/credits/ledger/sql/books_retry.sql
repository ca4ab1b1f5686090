-- Refuses an event in the form of before, begun by a function of before: its transaction is tried again with today's.
CREATE OR REPLACE FUNCTION books_retry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: the books are transfers now', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'serialization_failure';
END $$;

CREATE OR REPLACE TRIGGER ledger_tx_retried
  BEFORE INSERT OR UPDATE OR DELETE ON ledger_tx
  FOR EACH STATEMENT EXECUTE FUNCTION books_retry();

CREATE OR REPLACE TRIGGER ledger_entry_retried
  INSTEAD OF INSERT ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION books_retry();

-- Those that functions of before call stand until here in the same way, for one that waited while the books became
-- transfers.
DROP FUNCTION IF EXISTS books_house(text, text);
DROP FUNCTION IF EXISTS books_post(text, text, text, text, text, text[], bigint[]);
