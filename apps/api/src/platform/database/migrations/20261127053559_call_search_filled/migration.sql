-- outside a transaction
-- The calls of before, a thousand at a time, each piece committed: run again, it passes over what is there.
DO $$
DECLARE
  last text := '';
  piece text[];
BEGIN
  LOOP
    SELECT array_agg(id ORDER BY id) INTO piece
    FROM (SELECT id FROM "call" WHERE id > last ORDER BY id LIMIT 1000) each;
    EXIT WHEN piece IS NULL;
    INSERT INTO call_search (user_id, created_at, call_id, status, callee, words)
    SELECT user_id, created_at, id, status, callee, concat_ws(E'\n', callee, purpose, transcript, summary)
    FROM "call" WHERE id = ANY (piece) AND completed_at IS NOT NULL
    -- Locked, so that no change made meanwhile is overwritten by what was read before it.
    FOR SHARE
    ON CONFLICT (user_id, created_at, call_id) DO NOTHING;
    last := piece[array_upper(piece, 1)];
    COMMIT;
  END LOOP;
END $$;--> statement-breakpoint
ANALYZE call_search;--> statement-breakpoint
-- Nodes of the version before search without it, more slowly, until they are replaced.
DROP INDEX CONCURRENTLY IF EXISTS call_words;
