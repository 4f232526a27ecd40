# The pages of the operator.

operator-server = Server
operator-players = Spieler
operator-automation = Automatik
operator-version = Version { $version }
operator-journal-games =
    { $count ->
        [one] { $count } Partie
       *[other] { $count } Partien
    } im Protokoll
operator-accounts = { $count ->
    [one] { $count } Konto
   *[other] { $count } Konten
}
operator-parked = { $count ->
    [one] { $count } zurückgestellte Entscheidung
   *[other] { $count } zurückgestellte Entscheidungen
}
operator-draining = wird geleert
operator-memory = Speicher (MB)
operator-role-worker = Arbeiter
operator-role-admin = Betreiber
operator-ban-player = { $name } sperren
operator-unban-player = Sperre von { $name } aufheben
operator-retry = Noch einmal versuchen
operator-use-defaults = Standardbefehle nehmen
operator-gone = weg
operator-mean = { $count }, Mittel { $mean }
operator-leases = Aufträge
operator-engines = Server
operator-engine = Server
operator-started = Gestartet
operator-last-report = Letzte Meldung
operator-games-in-memory = Partien im Speicher
operator-streams = Datenströme
operator-workers = Arbeiter
operator-this-one = dieser
operator-drain-engine = Diesen Server leeren
operator-drain-explained =
    Der Server nimmt keine neue Arbeit an, beendet alle Datenströme und hält an. Andere Server mit
    derselben Datenbank laufen weiter.
operator-drain-question = Diesen Server leeren?
operator-drain-text = Das schließt alle Verbindungen zu diesem Server.
operator-drain = Leeren
operator-measurements = Alle Messwerte ({ $count })
operator-find-metric = Messwert suchen
operator-name = Name
operator-labels = Merkmale
operator-value = Wert
operator-search = Nach Name oder Kennung suchen
operator-search-hint = Name oder Kennung
operator-only-running = Nur laufende Partien
operator-reason = Grund
operator-reason-hint = Wird allen Spielern einer Partie gezeigt, die du pausierst oder abbrichst.
operator-no-games = Keine Partie passt.
operator-game = Partie
operator-host = Gastgeber
operator-status = Stand
operator-last-viewed = Zuletzt angesehen
operator-journal = Protokoll
operator-actions = Aktionen
operator-journal-size = { $entries }, { $bytes } KB
operator-pause-game = { $name } pausieren
operator-pause = Pausieren
operator-resume-game = { $name } fortsetzen
operator-resume = Fortsetzen
operator-cancel-game = { $name } abbrechen
operator-cancel-question = Partie abbrechen?
operator-cancel-text = Sie endet ohne Ergebnis.
operator-cancel-it = Abbrechen
operator-cancel = Abbrechen
operator-create-invitation = Einladung erstellen
operator-invitation = Für ein Konto: { $invitation }
operator-player = Spieler
operator-since = Seit
operator-dedication = Zuverlässigkeit
operator-tokens = Schlüssel
operator-games-at-once = Partien zugleich
operator-banned = gesperrt
operator-ban-text = Alle Anfragen dieses Kontos scheitern, seine Datenströme enden sofort.
operator-ban-question = { $name } sperren?
operator-ban = Sperren
operator-unban = Sperre aufheben
operator-revoke-of = Schlüssel von { $name } widerrufen
operator-revoke-text = Dieses Konto kann sich nicht anmelden, bis es einen neuen Schlüssel bekommt.
operator-revoke-question = Alle Schlüssel von { $name } widerrufen?
operator-revoke-tokens = Schlüssel widerrufen
operator-quota = Kontingent von { $name }
operator-games-of = Partien von { $name }
operator-default = Standard
operator-set-quota = Kontingent von { $name } setzen
operator-set = Setzen
operator-refresh = Aktualisieren
operator-account = Konto
operator-plays = Spielt
operator-connected = Verbunden
operator-profiles = { $count ->
    [one] { $count } Profil
   *[other] { $count } Profile
}
operator-capacity = { $leases } von { $capacity }
operator-decision = Entscheidung
operator-parked-title = Zurückgestellte Entscheidungen
operator-none-parked = Keine zurückgestellten Entscheidungen.
operator-parked-decision =
    { $game }, Platz { $seat }: { $message } ({ $count ->
        [one] { $count } Fehlschlag
       *[other] { $count } Fehlschläge
    })
