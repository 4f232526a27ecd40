# Die Suche nach Spielen und das Teilen eines Spiels.

finding-title = Spiele suchen
finding-none = Keine passenden Spiele.
finding-more = Mehr
finding-text = Wörter im Titel
finding-player = Mitspieler
finding-kind = Spiel
finding-any-kind = Alle Spiele
finding-state = Stand
finding-any-state = Alle
finding-forming = Wartet auf Mitspieler
finding-running = Läuft
finding-paused = Pausiert
finding-ended = Beendet
finding-canceled = Abgebrochen
finding-rated = Wertung
finding-any-rated = Mit oder ohne Wertung
finding-only-rated = Nur gewertete
finding-only-unrated = Nur ungewertete
finding-created-from = Erstellt ab
finding-created-to = Erstellt bis
finding-ended-from = Beendet ab
finding-ended-to = Beendet bis
finding-search = Suchen
finding-reset = Zurücksetzen

finding-share = Teilen
finding-share-title = Dieses Spiel teilen
finding-link = Link
finding-copy-link = Link kopieren
finding-link-hint = Dienste mit Vorschau zeigen zum Link das Spielbrett, aber keine Namen von Mitspielern.
finding-preview = Vorschau des Links
finding-embed = Spielbrett für deine eigene Seite
finding-embed-hint = Der Rahmen zeigt allen das Spielbrett und folgt dem Spiel.
finding-theme = Farben des Rahmens
finding-dark = Dunkel
finding-light = Hell
finding-color-blind = Für Farbenblinde
finding-copy-code = Code kopieren
finding-accounts-only = Auf diesem Server sehen nur Leute mit Konto die Spiele. Darum hat der Link keine Vorschau.

# Das Profil und die Einstellungen zu den eigenen Daten.
finding-games-of = Spiele von { $name }
finding-these-games = Diese Spiele finden
finding-hide-games = Andere dürfen nicht nach meinen Spielen suchen

# Was Betreiber mit Konten tun.
finding-rename-player = { $name } umbenennen
finding-new-name = Neuer Name von { $name }
finding-name = Neuer Name
finding-rename = Umbenennen
finding-delete-player = { $name } löschen
finding-delete-question = Das Konto von { $name } löschen?
finding-delete-hint = Name, Token, Anmeldewege und Ergebnisse werden gelöscht, und der Computer übernimmt die Plätze. Das lässt sich nicht rückgängig machen.
finding-delete = Löschen
