# The list of possible orders.

offers-chosen-of = { $chosen } von { $count }
offers-title = Mögliche Befehle
offers-about = Über { $piece }
offers-show-all = Alle Befehle zeigen
offers-find = Befehl suchen
offers-none = Hier sind keine Befehle möglich.
offers-more = { $count } weitere
offers-remove = { $name } entfernen
offers-fill-in = Befehl ausfüllen
offers-add-to-sheet = Auf den Befehlsbogen
offers-submit = Diesen Befehl abschicken
offers-unfinished = Unfertiger Befehl
offers-gone = Dieser Befehl ist nicht mehr möglich.
offers-not-submitted = Dieser Befehl ist nicht abgeschickt.
offers-no-value = (kein { $label })
offers-select-none = Keine
offers-select-all = Alle
offers-preference = Wähle das Beste zuerst: Die Reihenfolge ist die deiner Klicks.
offers-which = Welche
