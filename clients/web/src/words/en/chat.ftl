# The chat of a game, muting, and reports of abuse.

chat-title = Chat
chat-about = Short lines to everybody at the table
chat-table = Players
chat-spectators = Spectators
chat-not-readable = You can read this chat when the game is over.
chat-sign-in = Sign in to read the comments of other spectators.
chat-readers-table = Only the players can read this until the game is over.
chat-readers-spectators = Players can read this when the game is over.
chat-earlier = Earlier lines
chat-empty = No lines yet.
chat-write = Write to { $room }
chat-line = Line to { $room }
chat-send = Send
chat-guest = Choose a name for your account to write here.
chat-not-writable = You cannot write here now.
chat-deleted-account = a deleted account
chat-removed = removed by the operator
chat-menu = Menu of { $name }
chat-profile = Profile
chat-mute = Mute
chat-mute-name = Mute { $name }
chat-unmute = Unmute
chat-unmute-name = Unmute { $name }
chat-muted = Muted players
chat-muted-seat = You mute { $name }.
chat-report = Report
chat-report-name = Report { $name }
chat-report-title = Report { $name }
chat-report-explained =
    The operator of this server will see the text, the lines around it, and your name. The author is
    not told.
chat-report-sent = Thank you. The operator will see your report.
chat-reason = Reason
chat-reason-insult = Insults, threats or hate
chat-reason-spam = Advertisements or floods of text
chat-reason-cheating = Several accounts, or help from outside
chat-reason-name = Offensive name
chat-reason-other = Something else
chat-comment = Comment
chat-comment-hint = What the operator should know. Up to 500 characters.
chat-watching =
    { $number ->
        [one] { $number } spectator
       *[other] { $number } spectators
    }
chat-unnamed =
    { $number ->
        [one] and { $number } without a name
       *[other] and { $number } without a name
    }
chat-reports = Reports
chat-show-resolved = Show resolved reports
chat-no-reports = No reports.
chat-unknown = Unknown player
chat-report-of = Report of { $player }
chat-reported-by = Reported by { $reporter }
chat-game = the game
chat-this-line = The reported line:
chat-resolved-by = Resolved by { $resolver }
chat-resolve-of = Resolve the report of { $player }
chat-note = Note for operators
chat-remove-line = Remove the line
chat-resolve = Resolve
chat-silence-of = Silence { $player }
chat-silence-time = Time
chat-silence-why = Reason, shown to the player
chat-silence = Silence
chat-unsilence = Allow writing
chat-unsilence-name = Allow { $player } to write
chat-silenced-until = Silenced until { $time }.
chat-hours =
    { $number ->
        [one] { $number } hour
       *[other] { $number } hours
    }
chat-days =
    { $number ->
        [one] { $number } day
       *[other] { $number } days
    }
chat-hide-watching = Hide my name from lists of spectators
