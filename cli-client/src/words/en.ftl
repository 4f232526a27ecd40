# The texts of the terminal. Messages of one group start with its name. Helps of commands are in
# the sources.

## absence

absence-vacation-ended = Your vacation has ended.
absence-vacation = You are on vacation.
absence-vacation-left =
    { $now } Vacation left: { $count ->
        [one] { $count } day
       *[other] { $count } days
    }.
absence-resigned-automation-plays-seat = You resigned. Automation plays your seat until another player takes it.
absence-play-seat-again = You play your seat again.
absence-automation-plays-seat = Automation plays your seat.

## account

account-not-blocked-any-players = You have not blocked any players.
account-player-blocked = The player is blocked.
account-player-not-blocked = The player was not blocked.
account-player-no-longer-blocked = The player is no longer blocked.
account-profile-already-account = Profile `{ $profile }` already has the account { $name } at { $url }.
account-use-profile-name-second = Use --profile NAME for a second account.
account-welcome = Welcome!
account-token-saved-profile = Your token is saved in profile `{ $profile }`.
account-registered = You are registered as { $name }.
account-if-lose-these-recovery = If you lose it, these recovery codes sign you in:
account-guest = You are a guest. `cli-client account rename NAME` gives you a name and keeps the account.
account-next-cli-client-play = Next: cli-client play
account-external-token = an external token
account-in-profile = profile `{ $profile }`
account-engine-limit =
    Engine { $url }, { $from }; limit: { $count ->
        [one] { $count } game
       *[other] { $count } games
    }.
account-facts = { $role }, dedication { $dedication }, since { $since }
account-token-signed-in = { $name }, signed in
account-token-current = { $name } (this one)
account-token-revoked = The token is revoked.
account-old-token-revoked-new = The old token is revoked; the new one is saved in profile `{ $profile }`.
account-save-token-not-shown = Save the token now; it is not shown again.
account-none = You have no account at { $url }.
account-create-one-cli-client-register = Create one with `cli-client register NAME` or `cli-client play`. To sign in to an account, use `cli-client sign-in --recovery NAME`.
account-warning-connection-not-encrypted = warning: the connection to { $address } is not encrypted: others on the network can read your token. Use https://.
account-role-operator = operator
account-role-player = player
account-role-worker = automation worker
tokens-columns = id, created, last use, name, program

## admin

admin-revoked =
    Revoked { $count ->
        [one] { $count } token
       *[other] { $count } tokens
    }.
admin-player-renamed = The player is renamed.
admin-account-deleted = The account is deleted.
admin-quota-set = The quota is set.
admin-engine-draining = The engine is draining.
admin-player-banned = The player is banned.
admin-ban-lifted = The ban is lifted.
admin-game-paused-only-operator = The game is paused; only an operator can resume it.
admin-game-resumed = The game is resumed.
admin-game-canceled = The game is canceled.
admin-workers-retry =
    Workers retry { $count ->
        [one] { $count } decision
       *[other] { $count } decisions
    }.
admin-workers-retry-decision = Workers retry the decision.
admin-defaults-apply = The defaults apply.
admin-no-parked-decisions = No parked decisions.
admin-vote = vote { $vote }
admin-no-games = No games.
admin-automation-suspended-since = automation suspended since { $since }
admin-banned = banned
admin-silenced = silenced until { $end }
admin-default = default
admin-games-columns = game, kind, host, status, phase, created, last viewed, journal, name,{ " " }
admin-journal =
    { $count ->
        [one] { $count } entry
       *[other] { $count } entries
    }, { $size } KiB
admin-players-columns = name, role, dedication, tokens, games limit, id,{ " " }
admin-unknown = unknown
parked-columns = game, kind, seat, decision, profile, since, failures, last error
parked-orders = orders
status-draining = draining
status-games = games
status-games-in-memory = { $games }, { $live } in memory
status-leases = { $workers }, leases: { $leases }
status-memory = memory
status-mib = { $size } MiB
status-parked = parked decisions
status-players = players
status-serving = serving
status-state = state
status-streams = open streams
status-version = version
status-workers = workers

## advice
##
## Advice after a failure, by its reason.

advice-UNREACHABLE = Start an engine with `engine-service`, or select one with --engine URL or HELIOPAUSE_ENGINE.
advice-UNIMPLEMENTED = Check that --engine is the address of a Heliopause engine of the same version as this client.
advice-NO_SUCH_PHASE = `cli-client phases GAME` lists the phases.
advice-MALFORMED_ORDER = `cli-client options GAME` lists orders in the notation of the game. In games with order sheets, `cli-client rule KIND ORDER` shows the notation of an order.
advice-ORDER_REFUSED = Nothing has changed. `cli-client options GAME` lists the orders that are possible now.
advice-PHASE_CLOSED = The phase is over. Check `cli-client show GAME`, then submit orders again.
advice-STALE_REVISION = Another client of this seat submitted orders first. Check `cli-client show GAME`, then submit orders again.
advice-TOKEN_INVALID = `cli-client register NAME` creates an account, `cli-client sign-in` signs in to one; --profile or --token-file selects another one.
advice-BANNED = Contact the operator of this engine.
advice-ROLE_REQUIRED = { $role ->
    [none] Use another account.
    [host] Use the account of the host.
    [game-master] Use the account of the game master.
    [player] `cli-client account rename NAME` gives your guest account a name.
   *[other] Use an account with the role { $role }.
}
tournament-status-advice = `cli-client tournament show TOURNAMENT` shows the status of the tournament.
seat-advice = Name the seat with --seat N; `cli-client show GAME` lists the seats.
size-advice = Use --seats two or --seats several.
advice-NOT_YOUR_SEAT = Omit --seat to use your own seat. You can select other seats only in sandbox games.
advice-ROLE_CONFLICT = An account that sees everything cannot play. Use another account.
advice-GAME_NOT_FOUND = `cli-client games` lists your games, `cli-client kinds` the kinds of games. A private game needs --invite CODE.
advice-WRONG_STATUS = `cli-client show GAME` shows the status of the game.
advice-NO_OPEN_SEAT = `cli-client games open` lists games with an open seat. To start a game with open seats, use `cli-client start GAME --fill LEVEL`.
advice-INVITATION_REQUIRED = Ask the operator for a code, then pass it with --invitation CODE.
advice-RATE_LIMITED = Try again in a moment.
advice-OVERLOADED = Try again in a moment.
advice-QUOTA_EXCEEDED = The limit for { $quota } is { $limit }.
advice-JOURNAL_UNAVAILABLE = Nothing has changed. Try again in a moment.
advice-DRAINING = The engine is stopping. Try again after it has restarted.
advice-NOT_SANDBOX = Start the engine with --sandbox, and use a game from `cli-client sandbox create`.
advice-MESSAGE_REFUSED = Nothing was sent.
advice-SILENCED = You can write again at { $end_time }. Everything else is allowed.
advice-CURSOR_INVALID = Omit --from to start at the current event.
advice-LOST_RACE = Try again.
advice-INTERNAL = This is an error in the engine. Report incident { $incident } to the operator; the engine's log has the details.
advice-SIGN_IN_OFF = `cli-client sign-in --recovery NAME` uses a recovery code; `--code CODE` one from the page.
advice-NO_WAY_BACK = `cli-client account recovery-codes` creates recovery codes; --yes removes the method anyway.

## archive

archive-complete-journal = the complete journal
archive-events-visible = the events visible to you
archive-saved =
    Saved { $what } to { $path }: { $count ->
        [one] { $count } line
       *[other] { $count } lines
    }.
archive-only-games-diplomacy-standard = only games of Diplomacy from the standard position can
archive-game-cannot-written-saved = Game { $game } cannot be written as a saved game; { $why }.
archive-export-journal-omit-saved-game = To export the journal, omit --saved-game.
archive-saved-game =
    Saved the game to { $path }: { $count ->
        [one] { $count } phase
       *[other] { $count } phases
    }.
archive-verification-failed = Verification failed: { $fault }.
archive-line-fault = { $path }, line { $line }: { $fault }.
archive-export-cannot-verified = This export cannot be verified: { $why }.
archive-export-game-again-after = Export the game again after it has ended. Its secrets are hidden until then.
archive-entries-missing-hash-last = entries are missing: the hash of the last entry differs from the hash in the header
archive-not-valid = { $mark } Not valid: { $fault }
archive-valid-number-entries-shown = Valid. The number of entries is shown after the end of the game.
archive-entries-rules-version-which = Entries { $first } to { $last } are from rules version { $version }, which this program cannot replay.
verify-chain =
    The hash chain of { $count ->
        [one] { $count } entry
       *[other] { $count } entries
    } is valid.
verify-no-header = it does not start with a header
verify-no-seed = it does not contain the seed
verify-replayed =
    { $count ->
        [one] { $count } entry
       *[other] { $count } entries
    } replayed with the same rolls and events.
verify-rolls =
    { $count ->
        [one] { $count } roll
       *[other] { $count } rolls
    } verified with the revealed seed.

## chronicle

chronicle-game-still-running = The game is still running.
chronicle-start = Start

## confirmation

confirmation-continue-yes-anything-else = Continue? (yes; anything else cancels):{ " " }
confirmation-canceled-nothing-submitted = Canceled; nothing was submitted.
confirmation-nothing-submitted-because-there = Nothing was submitted, because there are warnings. { $told }
confirmation-use-yes-submit-without = Use --yes to submit without confirmation.

## create

create-cli-client-start-then = cli-client start { $id }{ $fill }, then{ " " }
create-next-cli-client-play = Next: { $start }cli-client play { $id }
create-not-a-seat-number = `{ $text }` is not a seat; expected a seat number.
create-not-a-seat = `{ $text }` is not a seat; the seats are { $seats }.
create-matches-several-seats-write = `{ $text }` matches several seats: { $several }. Write the whole name.
create-options-not-valid-json = --options is not valid JSON: { $error }.
create-option-value = { $key }: `{ $value }` is unknown; expected one of { $known }.
create-not-option-expected-key = `{ $setting }` is not an option; expected KEY=VALUE, for example rounds=14.

## learn

learn-no-tutorial-kinds-tutorial = `{ $kind }` has no tutorial; the kinds with a tutorial are { $kinds }.
learn-tutorial-not-valid = The tutorial is not valid: { $flaws }
learn-tutorial-empty = The tutorial is empty.
learn-step = Step { $number } of { $last }. { $tell }
learn-completes-tutorial-start-own =
    That completes the tutorial. To start your own game, type:
    { "  " }cli-client play { $kind }
learn-type = Type: { $wanted }
learn-tutorial-expects-another-line = The tutorial expects another line. Type the line below; `map` shows the map, `? RULE` shows a rule, `quit` leaves.

## lobby

lobby-range = { $least } to { $most }
lobby-unknown-kind-game = Unknown kind of game `{ $wanted }`{ $hint }
lobby-kinds = The kinds are { $kinds }.
lobby-cli-client-kinds-kind-shows = `cli-client kinds KIND` shows the options and levels of a kind.
lobby-default = Default: { $default }.
lobby-no-running-games-cli-client = You have no running games. `cli-client play` starts one; `cli-client games open` lists games to join; `cli-client games mine --all` includes finished games.
lobby-seat-run = { $first } to { $last }
lobby-decision = your decision
lobby-due-at = { $now }, due { $deadline }
lobby-seat-reserved-join-decline = a seat is reserved for you: join or decline
lobby-ended = { $now } (ended)
lobby-no-games-cli-client-new = No games. `cli-client new KIND` creates one.
lobby-no-games-found = No games were found.
lobby-seats-open = { $seats }, { $open } open
lobby-next-cli-client-play = Next: cli-client play { $game_id }
lobby-seat = You have seat { $number }.
lobby-seat-drawn-lot-start = Your seat is drawn by lot at the start.
lobby-chosen-seat = You have chosen seat { $seat }, { $role }.
lobby-declined-seat-open-other = You declined; the seat is now open to other players.
lobby-left-seat = You left your seat.
lobby-profile-no-saved-entropy = Profile `{ $profile }` has no saved entropy for game { $game }.
lobby-can-reveal-entropy-only = You can reveal entropy only on the machine and in the profile with which you joined.
lobby-entropy-revealed-dice-depend = Your entropy is revealed. The dice now depend on it.
lobby-next-cli-client-options = Next: cli-client options { $game_id }
games-columns = game, kind, status, seats, created, name
join-host-starts = The host starts the game.
kind-options = options for -o:
kind-phases = phases for --phase: { $phases }
kind-players = players: { $players }; automation: { $profiles }; levels: { $levels }
kind-seats = seats for --seat: { $seats }
kinds-columns = kind, players, description
my-games-columns = game, name, seat, now
option-names = at most { $most } names of up to { $length } characters
option-not-below = { $range }, not below { $bound }
option-or = { " " }or{ " " }
option-range = { $least } to { $most }
option-together = { $parts }, together { $sum }
option-zero = 0 ({ $meaning }) or { $range }

## look

look-saved = Saved the { $what } to { $path }.
look-no-events-yet = No events yet.
look-same-step = In the same step:
look-rule = Rule { $number }
phases-columns = #, phase, started

## master

master-no-deadline-write-none = { $what }. For no deadline, write `none`.
master-game-canceled = The game is canceled.
master-cannot-write-position-json = Cannot write the position as JSON: { $error }.
master-saved-position = Saved the position to { $path }.

## menu

menu-choice-number-q-leave = Your choice (a number, or q to leave):{ " " }
menu-learn-needs-number-new = `learn` needs the number of a new game, such as `learn 3`.
menu-not-a-choice = `{ $answer }` is not a choice; type 1 to { $last }, or `help`.
menu-new-game = new game
menu-seats-open = { $open_seats } of { $seats } seats open
menu-learn-number-new-game = `learn` and the number of a new game start its tutorial, `quick` finds opponents.
menu-quick-needs-number = `quick` needs the number of a new game, such as `quick 3`.
menu-automated-opponents = Automated opponents
menu-seats-play-yourself = Seats that you play yourself
menu-no-game-created = No game was created.
menu-seat-lot = Your seat, { $seats } [by lot]:{ " " }
menu-seat-does-not-exist = Seat { $seat } does not exist; the seats are 1 to { $last }.
menu-level-opponents-standard = Level of the opponents, { $levels } [standard]:{ " " }
menu-not-a-level = `{ $answer }` is not a level; the levels are { $levels }.
menu-number-question = { $what }, { $least } to { $most } [{ $usual }]:{ " " }
menu-not-a-number = `{ $answer }` is not a number from { $least } to { $most }.
menu-join = join
menu-resume = resume
menu-review = review

## notices

notices-address-confirmed-notices-sent = The address is confirmed. Notices are now sent to it.
notices-test-notice-delivered = The test notice was delivered.
notices-test-notice-not-delivered = The test notice was not delivered. { $failure }
notices-channel-removed = The channel is removed.
notices-code-sent-address-next = A code was sent to this address. Next: cli-client notices confirm { $id } CODE
notices-secret-signs-requests = Secret that signs the requests: { $secret }
notices-save-secret-not-shown = Save the secret now; it is not shown again.
notices-no-channels-add-one = You have no channels. Add one with: cli-client notices add
notices-no-webhooks = This engine does not send notices to webhooks.
notices-no-mail = This engine does not send notices by email.
notices-muted = Notices muted for game { $game_id }: { $what }.
notices-webhook = webhook { $url } ({ $form })
notices-email = email { $address }
notices-device = device { $name }
notices-unknown-target = unknown target
notices-not-confirmed = not confirmed
notices-off = off: { $why }
notices-warns-before-deadline = warns { $time } before a deadline
notices-one-digest-per = one digest per { $time }
notices-game-muted = The game is muted.
notices-game-not-muted = The game was not muted.
notices-game-no-longer-muted = The game is no longer muted.
notices-all = all
notices-delivered-at = delivered { $time }
notices-failed-at = failed { $time }: { $failure }
notices-on = on

## order

order-withdrawn = Your orders for this phase are withdrawn. You are not marked as ready.
order-game-too-many-choices = This game has too many choices to list; --json shows the choices of each piece.
order-no-orders-possible = No orders are possible now.
order-no-orders-contain = No orders contain `{ $search }`.
order-typed-not-valid-json = --typed is not valid JSON: { $error }.
order-no-orders-given = No orders given.
order-write-order-use-file = Write an order, or use --file FILE or --pick N.
order-partly-accepted = Partly accepted.
order-accepted = Accepted.
order-earlier-sheet-replaced-add =
    The earlier sheet of { $count ->
        [one] { $count } order
       *[other] { $count } orders
    } was replaced. To add to a sheet, use --add.
order-rejected =
    { $refused } of { $count ->
        [one] { $count } order
       *[other] { $count } orders
    } would be rejected.
order-cli-client-options-game-lists = `cli-client options GAME` lists the orders that are possible now.
order-by-rule = (rule { $rule })
order-not-ready = You are not ready.
order-ready = You are ready.
order-phase-can-close-early = The phase can close early.
order-phase-stays-open-until = The phase stays open until its deadline.
orders-columns = { "  #" }, order, effect

## pace

pace-not-valid-json = --pace is not valid JSON: { $error }.
pace-minimum-grace-late-delay-weekdays = --at, --minimum, --grace, --late-delay and --weekdays need --deadline TIME or --phase KIND=TIME.
pace-expected-kind-time-example = expected KIND=TIME, for example battle=1h
pace-not-time-day-expected = `{ $text }` is not a time of day; expected HH:MM, for example 20:00
pace-not-utc-offset-expected = `{ $text }` is not a UTC offset; expected -14:00 to +14:00, for example +02:00

## play

play-engine-no-longer-account = This engine no longer has your account; creating a new one.
play-welcome = Welcome, { $name }!
play-recovery =
    `cli-client account recovery-codes` creates codes that sign you in if you lose the token that is
    saved here.
play-name-question = Your name [{ $default }]:{ " " }
play-no-account-created = No account was created.
play-names-taken = The names { $wanted } and { $wanted }-2 to { $wanted }-{ $last } are taken.
play-register-another-name-cli-client = Register another name with `cli-client register NAME`.
play-there-no-choices = There are no choices now.
play-no-choice-contains = No choice contains `{ $text }`.
play-interactive = `play` is interactive and does not support --json.
play-scripts-use-watch-json = For scripts, use `watch --json`, `options --json` and `orders --json`.
play-seat-cannot-combined-own = --seat cannot be combined with --own { $own }, which selects the first seats.
play-neither-game-nor-kind = `{ $named }` is neither a game nor a kind of game.
play-did-mean-cli-client-play = Did you mean `cli-client play { $nearest }`?
play-no-running-games = You have no running games.
play-cli-client-play-shows-menu = `cli-client play` shows a menu: new game, resume, join.
play-cannot-be-undone = { $what }: this cannot be undone.
play-type-yes-confirm = Type yes or { $number } to confirm:{ " " }
play-canceled = Canceled.
play-canceled-next = Canceled. Next: { $line }
play-before-continue = Before you continue
play-continue-yes-number-order = Continue? (yes, a number, an order, or Enter to cancel):{ " " }
play-continue-yes-another-order = Continue? (yes, another order, or Enter to cancel):{ " " }
play-warning-no-alternative-order = Warning { $number } has no alternative order.
play-warning-does-not-exist = Warning { $number } does not exist; the warnings are 1 to { $last }.
play-which-number-values-order = Which? (a number and its values, an order, or Enter to cancel):{ " " }
play-needs-more-type = `{ $command }` needs more: type `{ $forms }`.
play-game-over-orders-no = The game is over; orders are no longer possible. `rematch` asks for another one; `history`, `map`, `chronicle FILE.html` and `verify` still work.
play-game-not-started-orders = The game has not started; orders are possible after the start. `table` shows the seats, `help` lists the commands.
play-no-decision = You have no decision now.
play-order-carried-out-once = Your order is carried out at once, without `ready`. Type an order or the number of a choice; Enter lists the choices.
play-saved =
    Saved { $count ->
        [one] { $count } order
       *[other] { $count } orders
    } to { $file }.
play-saved-map = Saved the map to { $file }.
play-order-stored-can-change = Order stored. You can change or `undo` it; type `ready` when you are done.
play-commands = Commands
play-order-sheets = Order sheets
play-now = Now
play-orders = Orders
play-orders-can-type = Orders you can type now: { $examples }
play-saved-chronicle-open-file = Saved the chronicle to { $file }. Open the file in a browser.
play-not-duration-example-vote = `{ $what }` is not a duration; example: `vote extend 2d`.
play-not-player-seat-example = `{ $what }` is not a player or seat; example: `vote replace Ann`.
play-no-seat-game = You have no seat in this game.
play-resign-permanently-type-yes = Resign permanently? Type yes to confirm:{ " " }
play-not-resigned = You have not resigned.
play-rematch-possible-only-after = A rematch is possible only after the end of the game. `resign` gives up your seat.
play-rematch-not-possible-sandbox = A rematch is not possible in sandbox games or for spectators. To start a new game, type `quit`, then run `cli-client play { $kind }`.
play-quit-leaves-game-cli-client = `quit` leaves this game; `cli-client play GAME` opens another.
play-you-play = You play { $seat }.
play-table-shows-seats = `table` shows the seats.
play-no-messages = No messages.
play-new =
    { $partners }: { $count ->
        [one] { $count } message
       *[other] { $count } messages
    }, { $new } new
play-press-enter-leave =
    { $failure }
    Press Enter to leave.
play-starting-new-game = Starting a new game.
play-goodbye = Goodbye.
play-resume-cli-client-play = Resume with: cli-client play { $game }
play-connection-lost-reconnecting = Connection lost; reconnecting...
play-engine-does-not-respond = The engine does not respond; retrying...
play-watching-game = You are watching this game.
play-turn = Your turn: { $name }
play-enter-lists-choices = Enter lists all choices.
play-since-last-visit = Since your last visit
play-just = Just now
play-more-history-shows = ... { $before } more; `history { $all }` shows all
play-map = Map
play-map-changes = Map changes
play-waiting-full-host = Waiting for the start; all seats are taken. `start` starts the game.
play-waiting-full = Waiting for the start; all seats are taken.
play-waiting-open-host =
    Waiting for the start; { $count ->
        [one] { $count } seat
       *[other] { $count } seats
    } open. `start` starts it; automation takes the open seats.
play-waiting-open =
    Waiting for the start; { $count ->
        [one] { $count } seat
       *[other] { $count } seats
    } open.
play-waiting-players-reveal-their = Waiting for the players to reveal their entropy...
play-game-paused = The game is paused.
play-automated-seat-waiting-ai = An automated seat is waiting for an AI client: start `ai-client --engine { $url } --token-file worker.token`...
play-seat-waiting-ai-client = The seat of { $seat } is waiting for an AI client: start `ai-client --engine { $url } --token-file worker.token`...
play-other-side = the other side's decision
play-waiting-for-closing = Waiting for { $awaited }... { $closing }
play-waiting-for = Waiting for { $awaited }...
play-game-over = Game over: { $name }
play-game-canceled = The game was canceled.
play-everything-visible-rematch-starts = Everything is visible now. `rematch` asks for another game with rotated seats, `quit` leaves. `map turn 3` shows an earlier turn, `history` lists the events, `verify` checks that the journal is unchanged. `chronicle FILE.html` writes a page with a slider, `export FILE` the journal. `games` lists your games.
play-shows-rule = (`? { $rule }` shows the rule)
play-game-id-not-valid = The game id `{ $game }` is not a valid file name.
play-sheet-help-orders-explains =
    { $count ->
        [one] { $count } order
       *[other] { $count } orders
    } on the sheet. `help orders` explains the notation, `report` shows the full turn report.
play-sheet-orders-shows-sheet =
    { $count ->
        [one] { $count } order
       *[other] { $count } orders
    } on the sheet. `orders` shows the sheet, `ready` marks it as finished.
play-stored-warning-current-position = Stored with a warning: in the current position, the line has no effect or only part of its effect. `orders` lists the sheet, `drop N` removes a line.
play-explains-notation = `? { $word }` explains the notation.
play-help-lists-commands-help = `help` lists the commands, `help orders` explains the notation.
play-did-mean = Did you mean `{ $word }`? { $hint }
play-line-does-not-exist =
    Line { $wrong } does not exist; the sheet has { $count ->
        [one] { $count } line
       *[other] { $count } lines
    }.
play-nothing-stored-correct-first =
    Nothing was stored. Correct { $count ->
        [one] { $count } invalid line
       *[other] { $count } invalid lines
    } in { $file } first.
play-map-not-available-yet = The map is not available yet.
play-saved-report = Saved the report to { $file }.
play-end = The end of { $title }
play-game-no-order-sheets = This game has no order sheets; each order is submitted separately.
play-thread =
    { $partners }: { $count ->
        [one] { $count } message
       *[other] { $count } messages
    }

## profile

profile-against-better-times-equal = Against you: you were better { $won } times, equal { $drawn }, worse { $lost }.
profile-no-results-yet = No results yet.
profile-results-hidden = The player hides the results.
profile-favorites = Favorites in { $kind }: { $favourites }.
profile-favorite =
    { $name } ({ $count ->
        [one] { $count } game
       *[other] { $count } games
    }, won { $won })
profile-no-rating-certain-yet = No rating is certain yet.
profile-name = Your name is { $name }.
profile-visible = Your results are visible to { $results }, your ratings to { $ratings }. Your games are found by { $games }. Your name as a spectator is visible to { $watching }.
profile-nobody = nobody
profile-account-deleted = Your account is deleted.
leaderboard-columns = rank, who, rating, games, won, drawn
profile-everyone = everyone
profile-only-you = only you
profile-reliability =
    { $count ->
        [one] { $count } decision
       *[other] { $count } decisions
    } answered in time; deadlines missed: { $missed }.
profile-reliability-median =
    { $count ->
        [one] { $count } decision
       *[other] { $count } decisions
    } answered in time, half of them within { $median }; deadlines missed: { $missed }.
results-columns = kind, seats, won, drawn, lost, left, rating, history

## profiles

profiles-directory-profiles-unknown-because = The directory for profiles is unknown, because none of HELIOPAUSE_CONFIG_DIR, XDG_CONFIG_HOME, HOME and APPDATA is set.
profiles-set-home-heliopause-config = Set HOME or HELIOPAUSE_CONFIG_DIR.
profiles-not-valid = { $path } is not a valid profile: { $why }.
profiles-correct-file-remove-register = Correct the file, or remove it and register again.
profiles-cannot-write-profile = Cannot write profile `{ $name }`: { $error }.
profiles-name-not-valid = `{ $name }` is not a valid profile name.
profiles-use-letters-digits-first = Use letters, digits, "-", "_" and "."; the first character must not be ".".
profiles-warning = warning: { $open }.

## sandbox

sandbox-not-automated-seat-expected = `{ $text }` is not an automated seat; expected SEAT=LEVEL, for example 2=strong
sandbox-next-cli-client-options-seat = Next: cli-client options { $id } --seat 1
sandbox-scripted-dice-left = Scripted dice left: { $waiting }.
sandbox-game-time = Game time: { $now }.
sandbox-not-valid-json = { $path } is not valid JSON: { $error }.

## sheet

sheet-warnings = Warnings
sheet-no-orders-stored-turn = No orders are stored for this turn.
sheet-no-orders-given = No orders given.
sheet-write-order-use-file = Write an order, or use --file FILE or --pick N.

## sign-in

sign-in-canceled-no-code-entered = Canceled; no code was entered.
sign-in-code-email = The code from the email:{ " " }
sign-in-account-new-choose-name = The account is new. Choose a name with `cli-client account rename NAME`.
sign-in-recovery-code = Recovery code:{ " " }
sign-in-left =
    You have { $count ->
        [one] { $count } recovery code
       *[other] { $count } recovery codes
    } left.
sign-in-signed = You are signed in as { $name }.
sign-in-token-saved-profile = The token is saved in profile `{ $profile }`.
sign-in-account-no-sign-in-method = This account has no sign-in method and no recovery codes: without another token, you lose it.
sign-in-run-cli-client-account-recovery-codes = Run `cli-client account recovery-codes` first, or use --yes to sign out.
sign-in-sign-out-question = Sign out? (yes; anything else cancels):{ " " }
sign-in-canceled-still-signed = Canceled; you are still signed in.
sign-in-signed-out-token-revoked = You are signed out. The token is revoked.
sign-in-can-sign-address = You can sign in with this address now.
sign-in-method-removed = The sign-in method is removed.
sign-in-no-methods = You have no sign-in methods.
sign-in-you-have =
    You have { $count ->
        [one] { $count } unused recovery code
       *[other] { $count } unused recovery codes
    }.
sign-in-save-these-codes-they = Save these codes now; they are not shown again. Each one signs you in once.
sign-in-columns = id, kind, last use, name
sign-in-kind-mail = email
sign-in-kind-passkey = passkey
sign-in-kind-provider = provider
sign-in-kind-unknown = unknown
sign-in-never = never

## talk

talk-player-seat-not-found = Player or seat `{ $name }` was not found.
talk-cli-client-show-game-lists = `cli-client show GAME` lists the seats.
talk-no-messages = No messages.
talk-vote-extend-needs-time = A vote to extend needs --by TIME.
talk-vote-replace-needs-target = A vote to replace needs --target SEAT.
talk-no-votes = No votes.

## watch

watch-continue = Continue with --from { $cursor }
watch-reconnecting-in = { $failure } Reconnecting in { $pause }...
watch-client-fell-behind-catching = This client fell behind; catching up from the journal.
watch-up-date-waiting-events = Up to date; waiting for events (Ctrl-C quits).
watch-not-a-cursor = `{ $text }` is not a cursor.
watch-write-event-number-cursor = Write an event number, or a cursor such as seat-1:42, spectators:7 or gm:7.
watch-reconnecting-soon = { $failure } Reconnecting...
watch-waiting-notices-ctrl-c-quits = Waiting for notices (Ctrl-C quits).
watch-some-notices-lost-cli-client = Some notices were lost; `cli-client games` shows the current state.
watch-engine-closed-stream = the engine closed the stream
watch-warning-exited = warning: `{ $command }` exited with { $status }.
watch-warning-cannot-run = warning: cannot run `{ $command }`: { $error }.
watch-due = Due { $deadline }.

## web

web-does-not-serve-web = { $url } does not serve the web page.
web-operator-can-enable-engine-service = The operator can enable it with `engine-service --web`.
web-opening-browser = Opening in your browser:
web-open-browser = Open in your browser:
web-signs-once-expires = It signs you in once and expires at { $until }.
