# The events of a game.

news-title = Events
news-none = No events yet.
news-earlier = Earlier
news-phase-title = Events of this phase
news-none-in-phase = No events in this phase.
