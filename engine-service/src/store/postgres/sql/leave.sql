DELETE FROM member WHERE game_id = ANY ($1::text[]) AND (game_id, player_id, seat) NOT IN (
    SELECT game_id, player_id, seat FROM unnest($2::text[], $3::text[], $4::bigint[]) AS a (game_id, player_id, seat))
