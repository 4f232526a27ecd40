# The pages of the operator.

operator-server = Server
operator-players = Players
operator-automation = Automation
operator-version = Version { $version }
operator-journal-games =
    { $count ->
        [one] { $count } game
       *[other] { $count } games
    } in the journal
operator-accounts = { $count ->
    [one] { $count } account
   *[other] { $count } accounts
}
operator-parked = { $count ->
    [one] { $count } parked decision
   *[other] { $count } parked decisions
}
operator-draining = draining
operator-memory = Memory (MB)
operator-role-worker = worker
operator-role-admin = operator
operator-ban-player = Ban { $name }
operator-unban-player = Lift the ban on { $name }
operator-retry = Retry
operator-use-defaults = Use the defaults
operator-gone = gone
operator-mean = { $count }, mean { $mean }
operator-leases = Leases
operator-engines = Engines
operator-engine = Engine
operator-started = Started
operator-last-report = Last report
operator-games-in-memory = Games in memory
operator-streams = Streams
operator-workers = Workers
operator-this-one = this one
operator-drain-engine = Drain this engine
operator-drain-explained =
    The engine accepts no new work, ends all streams, and stops. Other engines on the same database
    continue.
operator-drain-question = Drain this engine?
operator-drain-text = This closes all connections to this engine.
operator-drain = Drain
operator-measurements = All measurements ({ $count })
operator-find-metric = Find a metric
operator-name = Name
operator-labels = Labels
operator-value = Value
operator-search = Search by name or id
operator-search-hint = Name or id
operator-only-running = Only running games
operator-reason = Reason
operator-reason-hint = Shown to all players of a game that you pause or cancel.
operator-no-games = No games match.
operator-game = Game
operator-host = Host
operator-status = Status
operator-last-viewed = Last viewed
operator-journal = Journal
operator-actions = Actions
operator-journal-size = { $entries }, { $bytes } KB
operator-pause-game = Pause { $name }
operator-pause = Pause
operator-resume-game = Resume { $name }
operator-resume = Resume
operator-cancel-game = Cancel { $name }
operator-cancel-question = Cancel the game?
operator-cancel-text = It ends without a result.
operator-cancel-it = Cancel it
operator-cancel = Cancel
operator-create-invitation = Create an invitation
operator-invitation = For one account: { $invitation }
operator-player = Player
operator-since = Since
operator-dedication = Dedication
operator-tokens = Tokens
operator-games-at-once = Games at once
operator-banned = banned
operator-ban-text = Their calls fail and their streams end immediately.
operator-ban-question = Ban { $name }?
operator-ban = Ban
operator-unban = Lift the ban
operator-revoke-of = Revoke tokens of { $name }
operator-revoke-text = They cannot sign in until they get a new token.
operator-revoke-question = Revoke all tokens of { $name }?
operator-revoke-tokens = Revoke tokens
operator-quota = Quota of { $name }
operator-games-of = Games of { $name }
operator-default = default
operator-set-quota = Set the quota of { $name }
operator-set = Set
operator-refresh = Refresh
operator-account = Account
operator-plays = Plays
operator-connected = Connected
operator-profiles = { $count ->
    [one] { $count } profile
   *[other] { $count } profiles
}
operator-capacity = { $leases } of { $capacity }
operator-decision = Decision
operator-parked-title = Parked decisions
operator-none-parked = No parked decisions.
operator-parked-decision =
    { $game }, seat { $seat }: { $message } ({ $count ->
        [one] { $count } failure
       *[other] { $count } failures
    })
