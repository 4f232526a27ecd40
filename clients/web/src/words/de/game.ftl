# The page of a game: its head, its tabs, the connection.

game-seat-by-lot = dein Platz wird ausgelost
game-you-are = du bist { $role }
game-watching = du schaust zu
game-not-found = Partie nicht gefunden
game-not-visible = Du kannst diese Partie nicht sehen
game-loading = Partie wird geladen …
game-report = Bericht
game-connection-ended = Beendet
game-connection-live = Live
game-connecting = Verbindet …
game-reconnecting = Veraltet: verbindet neu …
game-map = Karte
game-past-phases = Frühere Phasen
game-now = Jetzt
game-orders = Befehle
game-news = Neues
game-messages = Nachrichten
game-table = Tisch
game-panel = Spielbereich
game-panel-short = Bereich
game-show-panel = Bereich zeigen
game-hide-panel = Bereich verbergen
game-past-phase = Du siehst eine frühere Phase. Befehle gibt es nur in der aktuellen.
game-back-to-now = Zurück zum Jetzt
