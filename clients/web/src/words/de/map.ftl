# The map, its tools, its tree and its tables.

map-elsewhere = Anderswo
map-keys =
    { $label }. Die Pfeiltasten verschieben sie, Plus und Minus ändern den Maßstab, 0 zeigt sie
    ganz.
map-drawing = Karte wird gezeichnet …
map-which = Welches?
map-not-possible = Nicht möglich
map-tables = Tabellen
map-legend = Legende
map-show-tree = Orte und Einheiten als Baum zeigen
map-sentences = Die Karte in Sätzen
map-enlarge = Vergrößern
map-zoom-out = Verkleinern
map-show-all = Alles zeigen
map-more-tools = Weitere Werkzeuge
map-layers = Ebenen
map-instead = Stattdessen:
map-pieces = { $count } Einheiten
map-places-and-pieces = Orte und Einheiten
map-find = Ort oder Einheit suchen
map-none = Kein Ort und keine Einheit passt.
map-seen-ago =
    vor { $count ->
        [one] { $count } Zug
       *[other] { $count } Zügen
    } gesehen
map-and-more = und { $count } weitere
map-close-legend = Legende schließen
map-close-tables = Tabellen schließen
