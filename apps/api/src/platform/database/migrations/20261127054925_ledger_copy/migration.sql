-- outside a transaction
CALL ledger_copy();
