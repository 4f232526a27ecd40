# Texts about games that several views use.

words-list = { $names } and { $last }
words-players = { $count ->
    [one] { $count } player
   *[other] { $count } players
}
words-players-range = { $min }–{ $max } players

# Durations. At most two units.
words-days = { $days } d
words-days-hours = { $days } d { $hours } h
words-hours = { $hours } h
words-hours-minutes = { $hours } h { $minutes } min
words-minutes = { $minutes } min
words-minutes-seconds = { $minutes } min { $seconds } s
words-seconds = { $seconds } s

# The status of a game.
words-status-forming = waiting for players
words-status-revealing = about to start
words-status-running = running
words-status-paused = paused
words-status-ended = over
words-status-cancelled = canceled

words-suspended-left =
    All players are absent. Automation is suspended until a player takes over a seat or plays on.
words-suspended-unwatched =
    Automation is suspended because the game had no viewers for a while. It resumes when a signed-in
    player opens the game.

# Seats and players.
words-seat = Seat { $number }
words-seat-open = open
words-seat-reserved = reserved for { $player }
words-some-player = a player
words-level-standard = standard
words-no-one = no one
words-you = you
words-invited = { $player } (invited)
words-more = { $count } more
words-automated = { $count } automated
words-open = { $count } open

# Results. $level is empty or follows a comma.
words-result-canceled = Canceled
words-result-draw = { $count ->
    [0] A draw
    [one] A draw for { $names }
   *[other] A draw between { $names }
}
words-result-you-win = You win{ $level }
words-result-win = { $count ->
    [0] No winner{ $level }
    [one] { $names } wins{ $level }
   *[other] { $names } win{ $level }
}
words-points = Points
words-points-unit = Points ({ $unit })
words-phase-number = { $name }, phase { $number }

# Votes: the button, then what the vote is for.
words-vote-draw = End as a draw
words-vote-pause = Pause
words-vote-resume = Resume
words-vote-extend = Extend the deadline
words-vote-cancel = Cancel the game
words-vote-replace = Replace a player
words-vote-to-draw = to end the game as a draw among all survivors
words-vote-to-pause = to pause the game
words-vote-to-resume = to resume the game
words-vote-to-extend = to extend the deadline
words-vote-to-cancel = to cancel the game without a result
words-vote-to-replace = to replace a player
words-vote-unknown = on an unknown subject

# The pace of a game.
words-missed-defaults = missing orders are replaced by defaults
words-missed-extend = a missed deadline is extended once
words-missed-hold = the game waits for missing orders
words-missed-automate = automation plays for players who miss it
words-at-time = at { $time }
words-grace = { $span } grace period
words-no-deadline = no deadline
words-no-deadlines = No deadlines

# When automation may play a seat of a player.
words-delegation-never = Never
words-delegation-any-time = At any time
words-delegation-absent = Only while absent

# An option with a value that has no short text.
words-custom = custom
