CREATE SEQUENCE "public"."ledger_transfer_id" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "ledger_transfer" (
	"id" bigint NOT NULL,
	"part" smallint DEFAULT 1 NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"debit" text NOT NULL,
	"credit" text NOT NULL,
	"amount" bigint NOT NULL,
	"balance_after" bigint NOT NULL,
	"idem_key" text CONSTRAINT "ledger_transfer_idem_key" UNIQUE,
	"body_hash" text,
	"cause" text NOT NULL,
	"call_id" text,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "ledger_transfer_pkey" PRIMARY KEY("id","part"),
	CONSTRAINT "ledger_transfer_moves" CHECK ("amount" > 0 and "debit" <> "credit")
);
--> statement-breakpoint
CREATE INDEX "ledger_transfer_user" ON "ledger_transfer" ("user_id","id");--> statement-breakpoint
CREATE INDEX "ledger_transfer_purchase" ON "ledger_transfer" ("user_id") WHERE "kind" = 'purchase';--> statement-breakpoint
-- Up to which event the books of before are copied. The copying ends with ledger_in_transfers.
CREATE TABLE ledger_copied (upto bigint NOT NULL);--> statement-breakpoint
INSERT INTO ledger_copied VALUES (0);--> statement-breakpoint
-- Copies the events after one id up to another: what leaves accounts meets what arrives, in the order of the legs.
CREATE FUNCTION ledger_copy_events(after_id bigint, upto_id bigint) RETURNS void LANGUAGE sql AS $$
  WITH leg AS (
    SELECT
      e.tx_id, split_part(e.account_id, ':', 1) AS account, e.credits < 0 AS is_debit, abs(e.credits) AS amount,
      sum(abs(e.credits)) OVER (PARTITION BY e.tx_id, e.credits < 0 ORDER BY e.id) AS upto
    FROM ledger_entry e WHERE e.tx_id > after_id AND e.tx_id <= upto_id
  ), owner AS (
    SELECT e.tx_id, substr(min(e.account_id), strpos(min(e.account_id), ':') + 1) AS user_id, max(e.balance_after) AS balance_after
    FROM ledger_entry e
    WHERE e.tx_id > after_id AND e.tx_id <= upto_id AND split_part(e.account_id, ':', 1) IN ('wallet', 'debt')
    GROUP BY e.tx_id
  ), transfer AS (
    SELECT
      d.tx_id, d.account AS debit, c.account AS credit,
      least(d.upto, c.upto) - greatest(d.upto - d.amount, c.upto - c.amount) AS amount,
      row_number() OVER (PARTITION BY d.tx_id ORDER BY least(d.upto, c.upto)) AS part
    FROM leg d JOIN leg c ON c.tx_id = d.tx_id AND d.is_debit AND NOT c.is_debit
      AND d.upto > c.upto - c.amount AND c.upto > d.upto - d.amount
  )
  INSERT INTO ledger_transfer
    (id, part, user_id, kind, debit, credit, amount, balance_after, idem_key, body_hash, cause, call_id, at)
  SELECT
    t.id, m.part, o.user_id, t.kind, m.debit, m.credit, m.amount, o.balance_after,
    CASE m.part WHEN 1 THEN t.idem_key END, CASE WHEN m.part = 1 AND t.kind <> 'settle' THEN t.body_hash END,
    t.cause, t.call_id, t.at
  FROM ledger_tx t
    -- An event of nobody would have no owner, and so ends the migration.
    LEFT JOIN owner o ON o.tx_id = t.id
    LEFT JOIN transfer m ON m.tx_id = t.id
  WHERE t.id > after_id AND t.id <= upto_id
$$;--> statement-breakpoint
-- Copies in pieces, each committed, while the books go on. It can be cut off and called again.
CREATE PROCEDURE ledger_copy() LANGUAGE plpgsql AS $$
DECLARE
  done bigint;
  newest bigint;
BEGIN
  FOR round IN 1..100 LOOP
    -- With this lock no event is half written: all up to the newest are there, or never will be.
    PERFORM set_config('lock_timeout', '2s', true);
    BEGIN
      LOCK TABLE ledger_tx IN SHARE ROW EXCLUSIVE MODE;
      SELECT max(t.id) INTO newest FROM ledger_tx t;
    EXCEPTION WHEN lock_not_available THEN
      newest := NULL;
    END;
    COMMIT;
    SELECT c.upto INTO done FROM ledger_copied c;
    IF newest IS NULL AND EXISTS (SELECT FROM ledger_tx) THEN
      PERFORM pg_sleep(1);
      CONTINUE;
    END IF;
    WHILE done < newest LOOP
      PERFORM ledger_copy_events(done, least(done + 5000, newest));
      done := least(done + 5000, newest);
      UPDATE ledger_copied SET upto = done;
      COMMIT;
    END LOOP;
    -- What few events come until ledger_in_transfers, that one copies.
    EXIT WHEN newest IS NULL OR (SELECT count(*) < 5000 FROM (SELECT FROM ledger_tx t WHERE t.id > done LIMIT 5000) t);
  END LOOP;
END $$;
