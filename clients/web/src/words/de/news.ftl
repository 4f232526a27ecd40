# The events of a game.

news-title = Ereignisse
news-none = Noch keine Ereignisse.
news-earlier = Frühere
news-phase-title = Ereignisse dieser Phase
news-none-in-phase = Keine Ereignisse in dieser Phase.
