# The search for games, and sharing a game.

finding-title = Search for games
finding-none = No games match.
finding-more = More
finding-text = Words in the title
finding-player = Player
finding-kind = Game
finding-any-kind = All games
finding-state = State
finding-any-state = Any
finding-forming = Waiting for players
finding-running = Running
finding-paused = Paused
finding-ended = Over
finding-canceled = Canceled
finding-rated = Rated
finding-any-rated = Rated or not
finding-only-rated = Only rated
finding-only-unrated = Only unrated
finding-created-from = Created from
finding-created-to = Created until
finding-ended-from = Ended from
finding-ended-to = Ended until
finding-search = Search
finding-reset = Clear

finding-share = Share
finding-share-title = Share this game
finding-link = Link
finding-copy-link = Copy link
finding-link-hint = Services that show previews of links show the board, but no names of players.
finding-preview = Preview of the link
finding-embed = Board for your own page
finding-embed-hint = The frame shows the board to everyone and follows the game.
finding-theme = Theme of the frame
finding-dark = Dark
finding-light = Light
finding-color-blind = Color-blind
finding-copy-code = Copy code
finding-accounts-only = On this server, only people with an account can see games, so the link has no preview.

# The profile, and the settings of one's own data.
finding-games-of = Games of { $name }
finding-these-games = Find these games
finding-hide-games = Do not let others search for my games

# The operator's actions on accounts.
finding-rename-player = Rename { $name }
finding-new-name = New name of { $name }
finding-name = New name
finding-rename = Rename
finding-delete-player = Delete { $name }
finding-delete-question = Delete the account of { $name }?
finding-delete-hint = The name, the tokens, the sign-in methods and the results are erased, and automation plays the seats. This cannot be undone.
finding-delete = Delete
