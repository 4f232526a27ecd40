# The lists of games.

lobby-none-open = No games are waiting for players.
lobby-none-watched = No public games are being played.
lobby-none-finished = No games have finished yet.
lobby-seats-open =
    { $open } of { $seats ->
        [one] { $seats } seat
       *[other] { $seats } seats
    } open
lobby-no-winner = No winner
lobby-draw = Draw: { $winners }
lobby-won = Won by { $winners }
lobby-mine = My games
lobby-open = Open games
lobby-watch = Watch
lobby-finished = Finished
lobby-begin = Begin
lobby-ratings = Ratings
lobby-join-by-code = Join by code
lobby-new-game = New game
lobby-empty = No games yet
lobby-empty-text = Play against automated players right away, or invite other people.
lobby-tutorials = Tutorials
lobby-invited = You are invited
lobby-your-turn = Your turn
lobby-over = Over
lobby-take-seat = Take the seat
lobby-players = Players:
lobby-search = Search by name
lobby-kind = Kind of game
lobby-all-kinds = All games
lobby-join-game = Join { $name }
lobby-join = Join
lobby-lots = seats are drawn by lot at the start
lobby-rated = rated
lobby-anonymous = names are hidden
lobby-led = led by { $master }
lobby-open-messages = messages become public after the end
