CREATE TABLE "call_total" (
	"user_id" text PRIMARY KEY,
	"answered" integer DEFAULT 0 NOT NULL,
	"voicemail" integer DEFAULT 0 NOT NULL,
	"no_answer" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL,
	"completed_seconds" integer DEFAULT 0 NOT NULL,
	"credits" integer DEFAULT 0 NOT NULL,
	"summarized" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "call_status" ON "call" ("user_id","status","created_at","id") WHERE "completed_at" is not null;--> statement-breakpoint
CREATE INDEX "call_summarized" ON "call" ("user_id","created_at","id") WHERE "summary" is not null;--> statement-breakpoint
ALTER TABLE "call_total" ADD CONSTRAINT "call_total_user_id_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE;--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_call_figures() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was "call_figure";
  now_is "call_figure";
  told integer := 0;
BEGIN
  IF tg_op <> 'INSERT' AND old.completed_at IS NOT NULL THEN
    was := call_figure_of(old);
    told := told - (old.summary IS NOT NULL)::int;
  END IF;
  IF tg_op <> 'DELETE' AND new.completed_at IS NOT NULL THEN
    now_is := call_figure_of(new);
    told := told + (new.summary IS NOT NULL)::int;
    INSERT INTO call_total (user_id) VALUES (new.user_id) ON CONFLICT DO NOTHING;
  END IF;
  -- The person's one row before any quarter of an hour: whoever writes figures of the same person waits here, and holds none of them yet.
  UPDATE call_total t SET
    answered = t.answered + coalesce(now_is.answered, 0) - coalesce(was.answered, 0),
    voicemail = t.voicemail + coalesce(now_is.voicemail, 0) - coalesce(was.voicemail, 0),
    no_answer = t.no_answer + coalesce(now_is.no_answer, 0) - coalesce(was.no_answer, 0),
    failed = t.failed + coalesce(now_is.failed, 0) - coalesce(was.failed, 0),
    completed = t.completed + coalesce(now_is.completed, 0) - coalesce(was.completed, 0),
    completed_seconds = t.completed_seconds + coalesce(now_is.completed_seconds, 0) - coalesce(was.completed_seconds, 0),
    credits = t.credits + coalesce(now_is.credits, 0) - coalesce(was.credits, 0),
    summarized = t.summarized + told
  WHERE t.user_id = coalesce(now_is.user_id, was.user_id);
  UPDATE call_figure f SET
    answered = f.answered - was.answered, voicemail = f.voicemail - was.voicemail, no_answer = f.no_answer - was.no_answer,
    failed = f.failed - was.failed, completed = f.completed - was.completed, seconds = f.seconds - was.seconds,
    completed_seconds = f.completed_seconds - was.completed_seconds, credits = f.credits - was.credits,
    met = f.met - was.met, refused = f.refused - was.refused, open = f.open - was.open
  WHERE f.user_id = was.user_id AND f.at = was.at;
  IF now_is.user_id IS NOT NULL THEN
    INSERT INTO call_figure AS f SELECT now_is.*
    ON CONFLICT (user_id, at) DO UPDATE SET
      answered = f.answered + excluded.answered, voicemail = f.voicemail + excluded.voicemail, no_answer = f.no_answer + excluded.no_answer,
      failed = f.failed + excluded.failed, completed = f.completed + excluded.completed, seconds = f.seconds + excluded.seconds,
      completed_seconds = f.completed_seconds + excluded.completed_seconds, credits = f.credits + excluded.credits,
      met = f.met + excluded.met, refused = f.refused + excluded.refused, open = f.open + excluded.open;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER call_figures_changed ON "call";--> statement-breakpoint
CREATE CONSTRAINT TRIGGER call_figures_changed AFTER UPDATE ON "call"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((old.completed_at, old.end_reason, old.duration_seconds, old.credits_charged, old.outcomes, old.summary IS NULL)
    IS DISTINCT FROM (new.completed_at, new.end_reason, new.duration_seconds, new.credits_charged, new.outcomes, new.summary IS NULL))
  EXECUTE FUNCTION keep_call_figures();--> statement-breakpoint
INSERT INTO call_total (user_id, answered, voicemail, no_answer, failed, completed, completed_seconds, credits)
SELECT user_id, sum(answered), sum(voicemail), sum(no_answer), sum(failed), sum(completed), sum(completed_seconds), sum(credits)
FROM call_figure GROUP BY user_id;--> statement-breakpoint
UPDATE call_total t SET summarized = c.calls
FROM (SELECT user_id, count(*) AS calls FROM "call" WHERE completed_at IS NOT NULL AND summary IS NOT NULL GROUP BY user_id) c
WHERE c.user_id = t.user_id;
