# Options of a game that are lists or messages.

message-field-not-json = { $file } ist keine JSON-Datei.
message-field-load = Aus einer Datei laden
message-field-remove-item = { $name } { $number } entfernen
message-field-add-to = Zu { $name } hinzufügen
