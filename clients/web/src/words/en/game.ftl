# The page of a game: its head, its tabs, the connection.

game-seat-by-lot = your seat is drawn by lot
game-you-are = you are { $role }
game-watching = watching
game-not-found = Game not found
game-not-visible = You cannot see this game
game-loading = Loading the game…
game-report = Report
game-connection-ended = Ended
game-connection-live = Live
game-connecting = Connecting…
game-reconnecting = Out of date: reconnecting…
game-map = Map
game-past-phases = Past phases
game-now = Now
game-orders = Orders
game-news = News
game-messages = Messages
game-table = Table
game-panel = Game panel
game-panel-short = Panel
game-show-panel = Show the panel
game-hide-panel = Hide the panel
game-past-phase = You are looking at a past phase. Orders can only be given in the current one.
game-back-to-now = Back to now
