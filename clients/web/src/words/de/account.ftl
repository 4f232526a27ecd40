# The account page, and the notices of this device.

account-notices-forbidden =
    Der Browser erlaubt keine Benachrichtigungen. Erlaube sie für diese Seite in seinen
    Einstellungen.
account-push-impossible =
    Der Browser kann keine Push-Nachrichten empfangen. Füge stattdessen einen Webhook oder eine
    E-Mail-Adresse hinzu.
account-browser = Browser
account-your-data = Deine Daten
account-download = Meine Daten herunterladen
account-hide-results = Meine Ergebnisse vor anderen verbergen
account-hide-ratings = Meine Wertungen vor anderen und in den Ranglisten verbergen
account-change-name = Namen ändern
account-new-name = Neuer Name
account-once-a-day = Höchstens einmal am Tag
account-rename = Umbenennen
account-delete-account = Mein Konto löschen
account-delete-explained =
    Dein Name, deine Schlüssel, Anmeldewege und Ergebnisse werden gelöscht, und die Automatik spielt
    deine Plätze. Die Protokolle der Partien behalten deine bisherigen Nachrichten. Das lässt sich
    nicht rückgängig machen.
account-confirm-name = Tippe deinen Namen zur Bestätigung
account-delete = Löschen
account-kind-passkey = Passkey
account-kind-mail = E-Mail
account-kind-provider = Konto bei
account-last-use = zuletzt benutzt { $time }
account-created = erstellt { $time }
account-signed-in = angemeldet
account-channel-unconfirmed = nicht bestätigt
account-channel-on = an
account-channel-off = aus
account-channel-mail = E-Mail
account-language = Sprache
account-language-of-browser = Wie der Browser
account-this-device-chip = dieses Gerät
account-sign-out = Abmelden
account-dedication =
    Zuverlässigkeit { $dedication }: +1 für jeden Zug mit rechtzeitigen Befehlen, −3 für jede
    verpasste Frist. { $profile }
account-your-profile = Dein Profil
account-choose-name = Namen wählen
account-choose-your-name = Wähle deinen Namen
account-guest-hint =
    Du bist Gast. Mit einem Namen gehört das Konto dauerhaft dir; deine Partien bleiben.
account-take-name = Diesen Namen nehmen
account-ways-back = Wege zurück
account-ways-back-title = Wege zurück in dein Konto
account-remove-method = { $name } entfernen
account-last-way-text =
    Dann bleiben nur deine Zugangsschlüssel. Wenn du sie verlierst, verlierst du das Konto.
account-last-way = Den letzten Weg zurück entfernen?
account-add-passkey = Passkey hinzufügen
account-add-provider = Konto bei { $provider } hinzufügen
account-no-codes = Du hast keine Wiederherstellungscodes.
account-codes-left =
    { $count ->
        [one] { $count } unbenutzter Wiederherstellungscode
       *[other] { $count } unbenutzte Wiederherstellungscodes
    }.
account-create-codes = Wiederherstellungscodes erstellen
account-replace-codes = Ersetzen
account-add-mail = E-Mail-Adresse hinzufügen
account-add-address = Adresse hinzufügen
account-sign-out-question = Abmelden?
account-sign-out-link =
    Du hast dich hier mit einem Link angemeldet. Beim Abmelden wird der Schlüssel dieses Browsers
    ungültig. Um dich wieder anzumelden, brauchst du einen gesicherten Schlüssel oder einen Link von
    einem angemeldeten Gerät.
account-sign-out-others =
    Dieser Browser löscht deinen Schlüssel. Sichere ihn, um dich wieder anzumelden: Das Konto hat
    weder einen Anmeldeweg noch Wiederherstellungscodes.
account-sign-out-last =
    Dieser Schlüssel ist der einzige Weg zurück in dein Konto: Es hat weder einen Anmeldeweg noch
    Wiederherstellungscodes. Sichere ihn vor dem Abmelden.
account-saved-at-sign-out = beim Abmelden gesichert
account-create-token = Schlüssel zum Sichern erstellen
account-stay = Angemeldet bleiben
account-saved-sign-out = Ich habe ihn gesichert: abmelden
account-this-device = Dieses Gerät
account-colors = Farben
account-notify = In diesem Browser melden, wenn ich am Zug bin
account-another-device = Ein anderes Gerät
account-device-link =
    Ein Link, der ein anderes Gerät anmeldet. Er funktioniert einmal und gilt zwei Minuten.
account-create-link = Link erstellen
account-tokens = Zugangsschlüssel
account-sessions = Sitzungen und Zugangsschlüssel
account-first-token = erster Schlüssel
account-revoke-token = { $name } widerrufen
account-revoke = Widerrufen
account-new-token = Neuer Schlüssel
account-token-purpose = Zweck des Schlüssels
account-for-a-bot = Für einen Bot
account-shown-once = Nur jetzt sichtbar: { $token }
account-notices = Benachrichtigungen
account-notices-title = Benachrichtigungen, wenn du nicht da bist
account-confirm = Bestätigen
account-test = Testen
account-remove-channel = Diesen Kanal entfernen?
account-notices-lost = Wartende Benachrichtigungen gehen verloren.
account-push-here = Benachrichtigungen an dieses Gerät senden
account-new-channel = Neuer Kanal
account-channel-kind = Art des Kanals
account-address = Adresse
account-add = Hinzufügen
account-secret =
    Geheimnis, das die Anfragen unterschreibt. Sichere es jetzt; es wird nicht noch einmal gezeigt:
    { $secret }
account-blocked = Blockierte Spieler
account-unblock-player = { $name } nicht mehr blockieren
account-unblock = Freigeben
account-block-player = Spieler blockieren
account-player-name = Name eines Spielers
account-block = Blockieren
