INSERT INTO lease AS l (game_id, seat, vote, phase, revision, fence, expires)
SELECT game_id, seat, vote, phase, revision, nextval('fence'), now() + make_interval(secs => $6)
FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
     AS a (game_id, seat, vote, phase, revision)
ORDER BY game_id, seat, vote
ON CONFLICT (game_id, seat, vote) DO UPDATE
    SET phase = excluded.phase, revision = excluded.revision, fence = nextval('fence'),
        expires = excluded.expires
    WHERE l.expires < now() AND (l.phase, l.revision) = (excluded.phase, excluded.revision)
          OR (l.phase, l.revision) < (excluded.phase, excluded.revision)
RETURNING game_id, seat, vote, fence
