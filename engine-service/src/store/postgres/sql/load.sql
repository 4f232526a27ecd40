SELECT g.last, (SELECT max(number) FROM entry e WHERE e.game_id = $1), g.secret, g.secret_sum,
       s.number, s.body, s.sum
FROM game g LEFT JOIN snapshot s ON s.game_id = g.game_id WHERE g.game_id = $1
