WITH head AS (SELECT game_id FROM game WHERE game_id = ANY ($1) ORDER BY game_id FOR UPDATE),
entries AS (DELETE FROM entry e USING head h WHERE e.game_id = h.game_id),
snapshots AS (DELETE FROM snapshot s USING head h WHERE s.game_id = h.game_id),
members AS (DELETE FROM member m USING head h WHERE m.game_id = h.game_id)
DELETE FROM game g USING head h WHERE g.game_id = h.game_id
