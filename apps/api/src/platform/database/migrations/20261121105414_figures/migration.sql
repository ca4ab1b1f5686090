CREATE TABLE "call_figure" (
	"user_id" text,
	"at" timestamp(0) with time zone,
	"answered" integer DEFAULT 0 NOT NULL,
	"voicemail" integer DEFAULT 0 NOT NULL,
	"no_answer" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL,
	"seconds" integer DEFAULT 0 NOT NULL,
	"completed_seconds" integer DEFAULT 0 NOT NULL,
	"credits" integer DEFAULT 0 NOT NULL,
	"met" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"open" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "call_figure_pkey" PRIMARY KEY("user_id","at")
);
--> statement-breakpoint
ALTER TABLE "contact" ADD COLUMN "tags" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "call_figure" ADD CONSTRAINT "call_figure_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
-- What one ended call adds to its person's figures.
CREATE FUNCTION call_figure_of(c "call") RETURNS "call_figure" LANGUAGE sql STABLE AS $$
  SELECT
    c.user_id,
    date_bin('15 minutes', c.created_at, timestamptz '2000-01-01 00:00Z')::timestamptz(0),
    (c.status = 'completed' AND c.end_reason NOT IN ('voicemail', 'screened'))::int,
    (c.status = 'completed' AND c.end_reason IN ('voicemail', 'screened'))::int,
    (c.status = 'failed' AND c.end_reason IN ('busy', 'no_answer'))::int,
    (c.status = 'failed' AND c.end_reason NOT IN ('busy', 'no_answer'))::int,
    (c.status = 'completed')::int,
    coalesce(c.duration_seconds, 0),
    CASE WHEN c.status = 'completed' THEN coalesce(c.duration_seconds, 0) ELSE 0 END,
    coalesce(c.credits_charged, 0),
    jsonb_array_length(jsonb_path_query_array(c.outcomes, '$[*] ? (@.status == "met")')),
    jsonb_array_length(jsonb_path_query_array(c.outcomes, '$[*] ? (@.status == "refused")')),
    jsonb_array_length(jsonb_path_query_array(c.outcomes, '$[*] ? (@.status == "open")'))
$$;--> statement-breakpoint
CREATE FUNCTION keep_call_figures() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was "call_figure";
BEGIN
  IF tg_op <> 'INSERT' AND old.completed_at IS NOT NULL THEN
    was := call_figure_of(old);
    UPDATE call_figure f SET
      answered = f.answered - was.answered, voicemail = f.voicemail - was.voicemail, no_answer = f.no_answer - was.no_answer,
      failed = f.failed - was.failed, completed = f.completed - was.completed, seconds = f.seconds - was.seconds,
      completed_seconds = f.completed_seconds - was.completed_seconds, credits = f.credits - was.credits,
      met = f.met - was.met, refused = f.refused - was.refused, open = f.open - was.open
    WHERE f.user_id = was.user_id AND f.at = was.at;
  END IF;
  IF tg_op <> 'DELETE' AND new.completed_at IS NOT NULL THEN
    INSERT INTO call_figure AS f SELECT (call_figure_of(new)).*
    ON CONFLICT (user_id, at) DO UPDATE SET
      answered = f.answered + excluded.answered, voicemail = f.voicemail + excluded.voicemail, no_answer = f.no_answer + excluded.no_answer,
      failed = f.failed + excluded.failed, completed = f.completed + excluded.completed, seconds = f.seconds + excluded.seconds,
      completed_seconds = f.completed_seconds + excluded.completed_seconds, credits = f.credits + excluded.credits,
      met = f.met + excluded.met, refused = f.refused + excluded.refused, open = f.open + excluded.open;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- At the commit, when everything else is locked already: two calls of one person that end together never wait for each other in a ring.
CREATE CONSTRAINT TRIGGER call_figures_added AFTER INSERT ON "call"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.completed_at IS NOT NULL) EXECUTE FUNCTION keep_call_figures();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER call_figures_changed AFTER UPDATE ON "call"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((old.completed_at, old.end_reason, old.duration_seconds, old.credits_charged, old.outcomes)
    IS DISTINCT FROM (new.completed_at, new.end_reason, new.duration_seconds, new.credits_charged, new.outcomes))
  EXECUTE FUNCTION keep_call_figures();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER call_figures_removed AFTER DELETE ON "call"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.completed_at IS NOT NULL) EXECUTE FUNCTION keep_call_figures();--> statement-breakpoint
INSERT INTO call_figure
SELECT (f).user_id, (f).at, sum((f).answered), sum((f).voicemail), sum((f).no_answer), sum((f).failed), sum((f).completed), sum((f).seconds),
  sum((f).completed_seconds), sum((f).credits), sum((f).met), sum((f).refused), sum((f).open)
FROM (SELECT call_figure_of(c) AS f FROM "call" c WHERE c.completed_at IS NOT NULL) ended
GROUP BY 1, 2;--> statement-breakpoint
-- Words are searched in hundreds of thousands of calls.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE INDEX call_words ON "call" USING gin (callee gin_trgm_ops, purpose gin_trgm_ops, transcript gin_trgm_ops, summary gin_trgm_ops);--> statement-breakpoint
CREATE INDEX call_callee ON "call" (user_id, callee, created_at, id);
