ALTER TABLE "webhook_delivery" ADD COLUMN "call_id" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" DROP CONSTRAINT "webhook_endpoint_pkey";--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD PRIMARY KEY ("user_id","url");--> statement-breakpoint
CREATE INDEX "webhook_delivery_call" ON "webhook_delivery" ("call_id") WHERE "call_id" is not null;--> statement-breakpoint
UPDATE "webhook_delivery" SET call_id = CASE type WHEN 'contact.opted_out' THEN payload -> 'data' ->> 'callId' ELSE payload -> 'data' ->> 'id' END
WHERE type IN ('call.started', 'call.completed', 'call.failed', 'contact.opted_out');--> statement-breakpoint
-- Calls whose words were erased while deliveries still had them.
UPDATE "webhook_delivery" d SET response = NULL, payload = jsonb_set(d.payload, '{data}', d.payload -> 'data' || CASE d.type
  WHEN 'contact.opted_out' THEN jsonb_build_object('quote', c.transcript)
  ELSE jsonb_build_object('transcript', c.transcript, 'summary', NULL, 'notes', NULL, 'hasRecording', false) END)
FROM "call" c
WHERE c.id = d.call_id AND d.type <> 'call.started' AND c.transcript LIKE 'Erased after % days, as your settings say.';
