# The map, its tools, its tree and its tables.

map-elsewhere = Elsewhere
map-keys = { $label }. Arrow keys move it, plus and minus zoom, 0 shows all of it.
map-drawing = Drawing the map…
map-which = Which one?
map-not-possible = Not possible
map-tables = Tables
map-legend = Legend
map-show-tree = Show places and pieces as a tree
map-sentences = The map in sentences
map-enlarge = Enlarge
map-zoom-out = Zoom out
map-show-all = Show all
map-more-tools = More tools
map-layers = Layers
map-instead = Instead:
map-pieces = { $count } pieces
map-places-and-pieces = Places and pieces
map-find = Find a place or piece
map-none = No place or piece matches.
map-seen-ago =
    seen { $count ->
        [one] { $count } turn
       *[other] { $count } turns
    } ago
map-and-more = and { $count } more
map-close-legend = Close the legend
map-close-tables = Close the tables
