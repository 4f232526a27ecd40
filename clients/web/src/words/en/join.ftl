# The page that a link or a code leads to.

join-host = hosted by { $host }
join-game = Game
join-game-hint = The id from the host, or the whole link.
join-code = Invite code
join-code-hint = Only private games have one.
join-seat = Your seat
join-lots = Seats are drawn by lot at the start, from the same seed as the dice.
join-take-seat = Take a seat
join-the-game = The game
