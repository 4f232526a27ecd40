# Branches of games, and the preview of a phase of Diplomacy.

analysis-tab = Analysis
analysis-chip = What if
analysis-loading = Loading…
analysis-forbidden = This game can be analyzed once it is over.
analysis-option = Analysis board: players can try what could happen

# Creating a branch. $phase is the progress of the game in words.
analysis-new = New branch
analysis-help =
    Try what could happen. A branch is your own copy of the game: the game does not change, and nobody
    else sees it. What your seat does not see is a guess.
analysis-help-over =
    Try what could have happened. A branch is your own copy of the game, and nobody else sees it.
analysis-start = Starts at: { $phase }
analysis-name = Name of the branch
analysis-revealed = Start from the true state
analysis-seat = You play
analysis-others = The other seats
analysis-others-me = I play all seats
analysis-others-level = Automation: { $level }
analysis-create = Create the branch

# The list of branches.
analysis-branches = Your branches
analysis-none = You have no branches of this game.
analysis-from = from { $phase }
analysis-rename = Rename
analysis-delete = Delete
analysis-delete-question = Delete “{ $name }”?
analysis-delete-hint = The branch and everything that you tried in it are removed.

# The bar above a branch.
analysis-branch = Branch
analysis-branch-of = This is a branch from { $phase }.
analysis-branch-short = Branch from { $phase }
analysis-back = Back to the game
analysis-play-as = Play as
analysis-show-all = Show everything
analysis-show-guesses = Show everything, with guesses
analysis-close = Close the phase

# The preview. $unit is a unit in the notation of orders.
analysis-preview = Preview
analysis-preview-show = Preview this phase on the map
analysis-preview-help =
    Click a unit, then its destination. A click on a second unit supports it. Your real orders do not
    change.
analysis-preview-impossible = Movement and retreats have a preview, but not this phase.
analysis-preview-order = Expected order of { $unit }
analysis-preview-given = Your order.
analysis-preview-clear = Clear the expected orders
