UPDATE account c SET dedication = c.dedication + r.change, dedication_negated = c.dedication_negated - r.change
FROM (SELECT player_id, sum(change)::integer AS change
      FROM unnest($1::text[], $2::integer[]) AS x (player_id, change) GROUP BY player_id) r
WHERE c.player_id = r.player_id
