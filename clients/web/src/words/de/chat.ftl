# Der Chat eines Spiels, Stummschalten und Meldungen.

chat-title = Chat
chat-about = Kurze Zeilen an alle am Tisch
chat-table = Spieler
chat-spectators = Zuschauer
chat-not-readable = Du kannst diesen Chat lesen, wenn das Spiel vorbei ist.
chat-sign-in = Melde dich an, um die Kommentare anderer Zuschauer zu lesen.
chat-readers-table = Bis zum Ende des Spiels lesen das nur die Spieler.
chat-readers-spectators = Die Spieler können das lesen, wenn das Spiel vorbei ist.
chat-earlier = Frühere Zeilen
chat-empty = Noch keine Zeilen.
chat-write = An { $room } schreiben
chat-line = Zeile an { $room }
chat-send = Senden
chat-guest = Wähle einen Namen für dein Konto, um hier zu schreiben.
chat-not-writable = Du kannst hier gerade nicht schreiben.
chat-deleted-account = ein gelöschtes Konto
chat-removed = vom Betreiber entfernt
chat-menu = Menü von { $name }
chat-profile = Profil
chat-mute = Stummschalten
chat-mute-name = { $name } stummschalten
chat-unmute = Wieder anzeigen
chat-unmute-name = { $name } wieder anzeigen
chat-muted = Stummgeschaltete Spieler
chat-muted-seat = Du hast { $name } stummgeschaltet.
chat-report = Melden
chat-report-name = { $name } melden
chat-report-title = { $name } melden
chat-report-explained =
    Der Betreiber dieses Servers sieht den Text, die Zeilen davor und danach und deinen Namen. Der
    Verfasser erfährt nichts davon.
chat-report-sent = Danke. Der Betreiber wird deine Meldung sehen.
chat-reason = Grund
chat-reason-insult = Beleidigung, Drohung oder Hass
chat-reason-spam = Werbung oder Textfluten
chat-reason-cheating = Mehrere Konten oder Hilfe von außen
chat-reason-name = Anstößiger Name
chat-reason-other = Etwas anderes
chat-comment = Kommentar
chat-comment-hint = Was der Betreiber wissen sollte. Bis zu 500 Zeichen.
chat-watching =
    { $number ->
        [one] { $number } Zuschauer
       *[other] { $number } Zuschauer
    }
chat-unnamed =
    { $number ->
        [one] und { $number } ohne Namen
       *[other] und { $number } ohne Namen
    }
chat-reports = Meldungen
chat-show-resolved = Erledigte Meldungen anzeigen
chat-no-reports = Keine Meldungen.
chat-unknown = Unbekannter Spieler
chat-report-of = Meldung über { $player }
chat-reported-by = Gemeldet von { $reporter }
chat-game = das Spiel
chat-this-line = Die gemeldete Zeile:
chat-resolved-by = Erledigt von { $resolver }
chat-resolve-of = Meldung über { $player } erledigen
chat-note = Notiz für Betreiber
chat-remove-line = Zeile entfernen
chat-resolve = Erledigen
chat-silence-of = { $player } das Schreiben verbieten
chat-silence-time = Dauer
chat-silence-why = Grund, den der Spieler sieht
chat-silence = Schreiben verbieten
chat-unsilence = Schreiben erlauben
chat-unsilence-name = { $player } das Schreiben erlauben
chat-silenced-until = Darf bis { $time } nicht schreiben.
chat-hours =
    { $number ->
        [one] { $number } Stunde
       *[other] { $number } Stunden
    }
chat-days =
    { $number ->
        [one] { $number } Tag
       *[other] { $number } Tage
    }
chat-hide-watching = Meinen Namen in Listen von Zuschauern verbergen
