# Signing in, new accounts, recovery.

sign-in-not-started = Der Server hat die Anmeldung nicht begonnen.
sign-in-passkey-exists = Dieses Gerät hat schon einen Passkey für dieses Konto.
sign-in-no-passkey = Der Browser hat keinen Passkey geliefert.
sign-in-other-tab = Diese Anmeldung hat nicht in diesem Tab begonnen. Beginne neu.
sign-in-provider-refused = Der Anbieter hat dich nicht angemeldet.
sign-in-lead =
    Weltraumstrategie in Runden: sieben Spiele, geheime Befehle und Würfel, die jeder nachprüfen
    kann.
sign-in-stay = Auf diesem Gerät angemeldet bleiben
sign-in-learn = Spiele lernen: Einführungen und Regelbücher
sign-in-watch = Ohne Konto zuschauen
sign-in-new-account = Neues Konto
sign-in-new-here = Neu hier?
sign-in-name = Dein Name
sign-in-name-hint = 1 bis 32 Buchstaben und Ziffern. Andere Spieler sehen ihn.
sign-in-invitation = Einladung
sign-in-create = Konto anlegen
sign-in-guest = Als Gast spielen
sign-in-other-ways = Andere Wege
sign-in-no-token = Ohne Schlüssel
sign-in-passkey = Passkey benutzen
sign-in-provider = Weiter mit { $provider }
sign-in-by-mail = Per E-Mail
sign-in-mail-address = E-Mail-Adresse
sign-in-send-code = Code senden
sign-in-code = Code
sign-in-mail-code = Code aus der E-Mail
sign-in-sent = Gesendet an { $address }. Er gilt 10 Minuten.
sign-in-new-account-invitation = Einladung für ein neues Konto
sign-in-continue = Weiter
sign-in-another-address = Andere Adresse
sign-in-lost-token = Schlüssel verloren?
sign-in-recovery = Wiederherstellung
sign-in-account-name = Name deines Kontos
sign-in-recovery-code = Wiederherstellungscode
sign-in-use-code = Code benutzen
sign-in-codes-shown-once = Nur jetzt sichtbar. Jeder Code meldet dich einmal ohne Schlüssel an:
sign-in-copy-codes = Codes kopieren
sign-in-have-account = Du hast ein Konto?
sign-in-token = Zugangsschlüssel
sign-in-token-hint = Er beginnt mit hp_. Der Server speichert nur seinen Hash.
sign-in-accounts-here = Konten auf diesem Gerät
sign-in-sign-in-as = Als { $name } anmelden
sign-in-welcome = Willkommen, { $name }
sign-in-save-token =
    { $save } Es gibt kein Passwort. Mit dem Schlüssel meldest du dich wieder an: nach dem Abmelden,
    wenn dieser Browser seine Daten verliert und auf anderen Geräten. Zeige ihn niemandem.
sign-in-save-codes =
    Sichere diese Codes oder diesen Schlüssel: Sie sind der Weg zurück in dein Konto.
sign-in-saved = Ich habe ihn gesichert
sign-in-by-link = Anmelden?
sign-in-by-link-text =
    Der geöffnete Link meldet diesen Browser als { $other } an. Wenn du das nicht erwartet hast,
    melde dich nicht an.
sign-in-not-now = Nicht anmelden
sign-in-other-account = Mit einem anderen Konto anmelden?
sign-in-other-account-text =
    Du bist als { $current } angemeldet. Der geöffnete Link meldet diesen Browser als { $other } an.
    Wenn du das nicht erwartet hast, melde dich nicht an.
sign-in-other-account-hint =
    Wenn du dich als { $other } anmeldest, behält dieser Browser den Schlüssel von { $current }. Auf
    deiner Kontoseite kannst du zurückwechseln.
sign-in-stay-as = { $name } bleiben
sign-in-no-connection = Keine Verbindung
sign-in-unreachable = Der Server ist nicht erreichbar. Deine Partien laufen ohne diese Seite weiter.
sign-in-try-again = Noch einmal versuchen
