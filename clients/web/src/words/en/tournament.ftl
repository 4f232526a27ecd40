# Tournaments.

tournament-title = Tournaments
tournament-new = New tournament
tournament-guest = Guests cannot create or enter tournaments. { $account }
tournament-choose-name = Choose a name first.
tournament-none = No tournaments yet.
tournament-more = More
tournament-all = All tournaments
tournament-actions = Actions
tournament-swiss = Swiss
tournament-swiss-hint = In each round, players with equal points meet in games for two.
tournament-round-robin = Round robin
tournament-round-robin-hint = Each player meets each other player in a game for two.
tournament-rotating-tables = Rotating tables
tournament-rotating-tables-hint = Games for several. Players meet changing opponents at changing seats.
tournament-open = accepts entries
tournament-round-of = round { $round } of { $rounds }
tournament-ended = ended
tournament-cancelled = canceled
tournament-entries =
    { $entries } of { $most ->
        [one] { $most } entry
       *[other] { $most } entries
    }
tournament-entered = You are in
tournament-starts = Starts { $time }
tournament-host-starts = The host starts the tournament.
tournament-round-ends = The games of this round are decided { $time } at the latest.
tournament-game = Game
tournament-name = Name
tournament-description = Description
tournament-optional = Optional.
tournament-system = System
tournament-seats = Players per game
tournament-seats-each = { $seats } players per game
tournament-rounds = Rounds
tournament-rounds-hint = If empty, as many as needed.
tournament-twice = Play everyone twice, with seats exchanged
tournament-entries-max = Maximum number of entries
tournament-deadline = Time for each phase
tournament-deadline-hint = Automation takes a seat after two missed deadlines. Its player has then left.
tournament-days =
    { $days ->
        [one] { $days } day
       *[other] { $days } days
    }
tournament-hours =
    { $hours ->
        [one] { $hours } hour
       *[other] { $hours } hours
    }
tournament-minutes =
    { $minutes ->
        [one] { $minutes } minute
       *[other] { $minutes } minutes
    }
tournament-start = Start
tournament-start-hint = If empty, you start the tournament.
tournament-rated = Rated: the games change ratings
tournament-is-rated = rated
tournament-bots-allowed = Bots can enter
tournament-create = Create the tournament
tournament-about = About the tournament
tournament-host = Host:
tournament-join = Enter
tournament-withdraw = Withdraw
tournament-withdraw-warning = You get no further games. Your running game continues.
tournament-start-now = Start now
tournament-cancel = Cancel the tournament
tournament-cancel-warning = No further rounds are played. Running games continue.
tournament-enter-bot = Enter a bot
tournament-bot-level = Level of the bot
tournament-bot-hint = random, standard, strong, or a registered bot such as @hal.
tournament-standings = Standings
tournament-no-entries = No entries yet.
tournament-rank = Rank
tournament-who = Player
tournament-points = Points
tournament-buchholz = Buchholz
tournament-sonneborn-berger = Sonneborn-Berger
tournament-direct = Direct
tournament-won = Won
tournament-games = Games
tournament-withdrawn = withdrawn
tournament-remove = Remove
tournament-automated = automated
tournament-deleted = deleted account
tournament-round = Round { $number }
tournament-game-of = Open game { $table }
tournament-open-game = Open
tournament-bye = bye
tournament-playing = is being played
tournament-forfeited = forfeited
tournament-game-cancelled = canceled
tournament-timed-out = time limit
tournament-of-game = Tournament
