# The messages between players.

messages-unsigned-note = ohne Unterschrift
messages-delivered-later = später zugestellt
messages-everyone = Alle
messages-anonymous = Anonym
messages-open-messages = Nach dem Ende dieser Partie werden alle Nachrichten öffentlich.
messages-none = Noch keine Nachrichten
messages-unmet =
    Du bist { $count ->
        [one] { $count } anderen Spieler
       *[other] { $count } anderen Spielern
    } noch nicht begegnet.
messages-read-by-all = Alle Spieler können das lesen.
messages-read-by-master = Nur die Spielleitung kann das lesen.
messages-read-by = Nur { $name } kann das lesen.
messages-with = Nachrichten mit { $name }
messages-back = ← Alle Nachrichten
messages-write = Nachricht schreiben
messages-to = Nachricht an { $name }
messages-send = Senden
messages-unsigned = Ohne Unterschrift
messages-you = Du
