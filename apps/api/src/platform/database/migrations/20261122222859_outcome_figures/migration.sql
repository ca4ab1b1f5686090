ALTER TABLE "call_figure" ADD COLUMN "met_within_limits" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "call_figure" ADD COLUMN "offered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- The columns in the order of the table, the two new ones last.
CREATE OR REPLACE FUNCTION call_figure_of(c "call") RETURNS "call_figure" LANGUAGE sql STABLE AS $$
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
    jsonb_array_length(jsonb_path_query_array(c.outcomes, '$[*] ? (@.status == "open")')),
    jsonb_array_length(jsonb_path_query_array(c.outcomes, '$[*] ? (@.status == "met_within_limits")')),
    jsonb_array_length(jsonb_path_query_array(c.outcomes, '$[*] ? (@.status == "offered")'))
$$;--> statement-breakpoint
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
    met = f.met - was.met, refused = f.refused - was.refused, open = f.open - was.open,
    met_within_limits = f.met_within_limits - was.met_within_limits, offered = f.offered - was.offered
  WHERE f.user_id = was.user_id AND f.at = was.at;
  IF now_is.user_id IS NOT NULL THEN
    INSERT INTO call_figure AS f SELECT now_is.*
    ON CONFLICT (user_id, at) DO UPDATE SET
      answered = f.answered + excluded.answered, voicemail = f.voicemail + excluded.voicemail, no_answer = f.no_answer + excluded.no_answer,
      failed = f.failed + excluded.failed, completed = f.completed + excluded.completed, seconds = f.seconds + excluded.seconds,
      completed_seconds = f.completed_seconds + excluded.completed_seconds, credits = f.credits + excluded.credits,
      met = f.met + excluded.met, refused = f.refused + excluded.refused, open = f.open + excluded.open,
      met_within_limits = f.met_within_limits + excluded.met_within_limits, offered = f.offered + excluded.offered;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
UPDATE call_figure f SET met_within_limits = s.met_within_limits, offered = s.offered
FROM (
  SELECT (figure).user_id, (figure).at, sum((figure).met_within_limits) AS met_within_limits, sum((figure).offered) AS offered
  FROM (
    SELECT call_figure_of(c) AS figure FROM "call" c
    WHERE c.completed_at IS NOT NULL AND c.outcomes @? '$[*] ? (@.status == "met_within_limits" || @.status == "offered")'
  ) told
  GROUP BY 1, 2
) s
WHERE f.user_id = s.user_id AND f.at = s.at;
