UPDATE member m SET invited = a.invited, your_decision = a.your_decision, deadline = a.deadline
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[], $5::boolean[], $6::bigint[])
    AS a (game_id, player_id, seat, invited, your_decision, deadline)
WHERE m.game_id = a.game_id AND m.player_id = a.player_id AND m.seat = a.seat
    AND (m.invited, m.your_decision, m.deadline) IS DISTINCT FROM (a.invited, a.your_decision, a.deadline)
