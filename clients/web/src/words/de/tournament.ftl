# Turniere.

tournament-title = Turniere
tournament-new = Neues Turnier
tournament-guest = Gäste können Turniere weder anlegen noch an ihnen teilnehmen. { $account }
tournament-choose-name = Wähle zuerst einen Namen.
tournament-none = Noch keine Turniere.
tournament-more = Mehr
tournament-all = Alle Turniere
tournament-actions = Aktionen
tournament-swiss = Schweizer System
tournament-swiss-hint = In jeder Runde treffen sich Spieler mit gleich vielen Punkten in Partien zu zweit.
tournament-round-robin = Jeder gegen jeden
tournament-round-robin-hint = Jeder spielt gegen jeden anderen eine Partie zu zweit.
tournament-rotating-tables = Wechselnde Tische
tournament-rotating-tables-hint = Partien zu mehreren. Gegner und Plätze wechseln.
tournament-open = nimmt Anmeldungen an
tournament-round-of = Runde { $round } von { $rounds }
tournament-ended = beendet
tournament-cancelled = abgesagt
tournament-entries =
    { $entries } von { $most ->
        [one] { $most } Anmeldung
       *[other] { $most } Anmeldungen
    }
tournament-entered = Du bist dabei
tournament-starts = Beginn: { $time }
tournament-host-starts = Der Gastgeber startet das Turnier.
tournament-round-ends = Die Partien dieser Runde sind spätestens { $time } entschieden.
tournament-game = Spiel
tournament-name = Name
tournament-description = Beschreibung
tournament-optional = Freiwillig.
tournament-system = System
tournament-seats = Spieler pro Partie
tournament-seats-each = { $seats } Spieler pro Partie
tournament-rounds = Runden
tournament-rounds-hint = Leer bedeutet: so viele wie nötig.
tournament-twice = Jeder spielt zweimal gegen jeden, mit getauschten Plätzen
tournament-entries-max = Höchstzahl der Anmeldungen
tournament-deadline = Zeit für jede Phase
tournament-deadline-hint = Nach zwei versäumten Fristen übernimmt die Automatik einen Platz. Sein Spieler hat dann aufgegeben.
tournament-days =
    { $days ->
        [one] { $days } Tag
       *[other] { $days } Tage
    }
tournament-hours =
    { $hours ->
        [one] { $hours } Stunde
       *[other] { $hours } Stunden
    }
tournament-minutes =
    { $minutes ->
        [one] { $minutes } Minute
       *[other] { $minutes } Minuten
    }
tournament-start = Beginn
tournament-start-hint = Wenn du nichts angibst, startest du das Turnier selbst.
tournament-rated = Gewertet: die Partien ändern Wertungen
tournament-is-rated = gewertet
tournament-bots-allowed = Bots dürfen mitspielen
tournament-create = Turnier anlegen
tournament-about = Über das Turnier
tournament-host = Gastgeber:
tournament-join = Anmelden
tournament-withdraw = Zurückziehen
tournament-withdraw-warning = Du bekommst keine weiteren Partien. Deine laufende Partie geht weiter.
tournament-start-now = Jetzt starten
tournament-cancel = Turnier absagen
tournament-cancel-warning = Es gibt keine weiteren Runden. Laufende Partien gehen weiter.
tournament-enter-bot = Bot anmelden
tournament-bot-level = Stufe des Bots
tournament-bot-hint = random, standard, strong oder ein registrierter Bot wie @hal.
tournament-standings = Tabelle
tournament-no-entries = Noch keine Anmeldungen.
tournament-rank = Rang
tournament-who = Spieler
tournament-points = Punkte
tournament-buchholz = Buchholz
tournament-sonneborn-berger = Sonneborn-Berger
tournament-direct = Direkt
tournament-won = Siege
tournament-games = Partien
tournament-withdrawn = zurückgezogen
tournament-remove = Entfernen
tournament-automated = automatisch
tournament-deleted = gelöschtes Konto
tournament-round = Runde { $number }
tournament-game-of = Partie { $table } öffnen
tournament-open-game = Öffnen
tournament-bye = spielfrei
tournament-playing = läuft
tournament-forfeited = kampflos
tournament-game-cancelled = abgebrochen
tournament-timed-out = Zeitlimit
tournament-of-game = Turnier
