SELECT g.last, p.number, p.body, p.sum, p.found FROM game g LEFT JOIN (
    SELECT number, body, sum, sum(length(body)) OVER (ORDER BY number) AS bytes,
           row_number() OVER (ORDER BY number) AS place, count(*) OVER () AS found
    FROM (SELECT number, body, sum FROM entry WHERE game_id = $1 AND number > $2
          ORDER BY number LIMIT $3) page
) p ON p.place = 1 OR p.bytes <= $4 WHERE g.game_id = $1 ORDER BY p.number
