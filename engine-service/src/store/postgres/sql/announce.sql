WITH said AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS a (kind, profile, level)
), unsaid AS (
    DELETE FROM played p WHERE p.expires < now() - interval '1 minute' AND p.process <> $1
        OR p.process = $1 AND NOT EXISTS (SELECT 1 FROM said s WHERE (s.kind, s.profile, s.level)
                                                                = (p.kind, p.profile, p.level))
), kept AS (
    INSERT INTO played (process, kind, profile, level, expires)
    SELECT $1, kind, profile, level, now() + make_interval(secs => $5) FROM said
    ON CONFLICT (process, kind, profile, level) DO UPDATE SET expires = excluded.expires
)
SELECT DISTINCT kind, profile, level FROM played WHERE process <> $1 AND expires > now()
