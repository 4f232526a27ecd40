INSERT INTO member (game_id, player_id, seat, invited, your_decision, deadline)
SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[], $5::boolean[], $6::bigint[])
ON CONFLICT DO NOTHING
