UPDATE game g SET last = a.last, tag = a.tag
FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS a (game_id, last, tag) WHERE g.game_id = a.game_id
