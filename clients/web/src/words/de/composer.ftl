# The lines for typed orders.

composer-title = Getippte Befehle
composer-order = Befehl { $number }
composer-placeholder = Tippe einen Befehl oder klicke auf die Karte
composer-remove = Befehl { $number } entfernen
composer-completions = Ergänzungen
composer-possible = Möglich
