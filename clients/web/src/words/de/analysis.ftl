# Branches of games, and the preview of a phase of Diplomacy.

analysis-tab = Analyse
analysis-chip = Was wäre wenn
analysis-loading = Lädt…
analysis-forbidden = Dieses Spiel kannst du analysieren, sobald es zu Ende ist.
analysis-option = Analysebrett: Spieler können ausprobieren, was passieren könnte

# Creating a branch. $phase is the progress of the game in words.
analysis-new = Neuer Zweig
analysis-help =
    Probier aus, was passieren könnte. Ein Zweig ist deine eigene Kopie des Spiels: Das Spiel ändert
    sich nicht, und niemand sonst sieht sie. Was dein Platz nicht sieht, ist geraten.
analysis-help-over =
    Probier aus, was hätte passieren können. Ein Zweig ist deine eigene Kopie des Spiels, und niemand
    sonst sieht sie.
analysis-start = Beginnt bei: { $phase }
analysis-name = Name des Zweigs
analysis-revealed = Mit der wahren Stellung beginnen
analysis-seat = Du spielst
analysis-others = Die anderen Plätze
analysis-others-me = Ich spiele alle Plätze
analysis-others-level = Automatik: { $level }
analysis-create = Zweig anlegen

# The list of branches.
analysis-branches = Deine Zweige
analysis-none = Du hast keine Zweige dieses Spiels.
analysis-from = ab { $phase }
analysis-rename = Umbenennen
analysis-delete = Löschen
analysis-delete-question = „{ $name }“ löschen?
analysis-delete-hint = Der Zweig und alles, was du darin ausprobiert hast, werden gelöscht.

# The bar above a branch.
analysis-branch = Zweig
analysis-branch-of = Das ist ein Zweig ab { $phase }.
analysis-branch-short = Zweig ab { $phase }
analysis-back = Zurück zum Spiel
analysis-play-as = Spielen als
analysis-show-all = Alles zeigen
analysis-show-guesses = Alles zeigen, auch Geratenes
analysis-close = Phase abschließen

# The preview. $unit is a unit in the notation of orders.
analysis-preview = Vorschau
analysis-preview-show = Vorschau dieser Phase auf der Karte
analysis-preview-help =
    Klick auf eine Einheit, dann auf ihr Ziel. Ein Klick auf eine zweite Einheit unterstützt sie. Deine
    echten Befehle ändern sich nicht.
analysis-preview-impossible = Bewegungen und Rückzüge haben eine Vorschau, diese Phase aber nicht.
analysis-preview-order = Erwarteter Befehl für { $unit }
analysis-preview-given = Dein Befehl.
analysis-preview-clear = Erwartete Befehle löschen
