-- A contact that comes to a number which was called before begins with those calls; later ones are counted as they end.
CREATE FUNCTION contact_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT count(*), count(*) FILTER (WHERE c.status = 'completed')
  INTO new.total_calls, new.successful_calls
  FROM "call" c
  WHERE c.user_id = new.user_id AND c.callee = new.phone AND c.completed_at IS NOT NULL;
  RETURN new;
END $$;--> statement-breakpoint
CREATE TRIGGER contact_added BEFORE INSERT ON "contact" FOR EACH ROW EXECUTE FUNCTION contact_totals();--> statement-breakpoint
CREATE TRIGGER contact_moved BEFORE UPDATE ON "contact"
  FOR EACH ROW WHEN (old.phone IS DISTINCT FROM new.phone) EXECUTE FUNCTION contact_totals();--> statement-breakpoint
UPDATE "contact" n SET total_calls = c.calls, successful_calls = c.successful
FROM (
  SELECT user_id, callee, count(*) AS calls, count(*) FILTER (WHERE status = 'completed') AS successful
  FROM "call" WHERE completed_at IS NOT NULL GROUP BY user_id, callee
) c
WHERE c.user_id = n.user_id AND c.callee = n.phone AND (c.calls, c.successful) IS DISTINCT FROM (n.total_calls, n.successful_calls);
