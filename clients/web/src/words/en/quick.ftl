# Quick play and rematches.

quick-play = Quick play
quick-game = Game
quick-players = Players
quick-players-usual = Usual ({ $count })
quick-pace = Pace
quick-pace-fast = Fast: one minute per phase
quick-pace-live = Live: five minutes per phase
quick-pace-daily = Daily: one day per phase
quick-pace-slow = Slow: three days per phase
quick-bots = Automated players after
quick-bots-hint = They take the seats for which there are no people. Such a game is not rated.
quick-bots-never = Never
quick-bots-now = Right away
quick-preferences = Preferred seats
quick-preference = Preference { $place }
quick-preference-none = No preference
quick-rated = Rated game
quick-lots = Seats are drawn by lot from the seed of the dice. In an order drawn by lot, each player gets the first preferred seat that is still free.
quick-find = Find opponents
quick-waiting =
    Waiting for opponents in { $kind }: { $players ->
        [one] { $players } player
       *[other] { $players } players
    } in the queue
quick-waited = waiting for { $span }
quick-bots-in = automated players join in { $span } at the latest
quick-matched = Opponents for { $kind } are found. The game is being created.
quick-ready = Your game of { $kind } is ready.
quick-open = Open the game
quick-rematch = Rematch
quick-rematch-hint = All players are asked, and seats rotate.
