INSERT INTO snapshot (game_id, number, body, sum)
SELECT game_id, $2, $3, $4 FROM game WHERE game_id = $1 AND last >= $2
    AND ($5::bigint IS NULL OR last = $2 AND (tag IS NULL OR tag = $5))
FOR SHARE
ON CONFLICT (game_id) DO UPDATE SET number = excluded.number, body = excluded.body, sum = excluded.sum
WHERE snapshot.number < excluded.number
