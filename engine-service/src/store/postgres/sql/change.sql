UPDATE game g SET last = a.last, kind = a.kind, name = a.name, status = a.status, private = a.private,
                  sandbox = a.sandbox, seats = a.seats, open_seats = a.open_seats, created = a.created, due = a.due,
                  wants_automation = a.wants_automation, progress = a.progress, row_digest = a.row_digest,
                  members_digest = a.members_digest, host = a.host, asleep_since = a.asleep_since,
                  ended = a.ended, rated = a.rated, names_hidden = a.names_hidden, tag = a.tag
FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::text[], $5::text[], $6::integer[], $7::boolean[],
            $8::boolean[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::boolean[],
            $14::text[], $15::bigint[], $16::bigint[], $17::bigint[], $18::text[], $19::bigint[], $20::bigint[],
            $21::boolean[], $22::boolean[], $23::bigint[])
    AS a (game_id, last, secret, kind, name, status, private, sandbox, seats, open_seats, created, due,
          wants_automation, progress, row_digest, members_digest, secret_sum, host, asleep_since, ended,
          rated, names_hidden, tag)
WHERE g.game_id = a.game_id
