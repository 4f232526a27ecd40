# Options of a game that are lists or messages.

message-field-not-json = { $file } is not a JSON file.
message-field-load = Load from a file
message-field-remove-item = Remove { $name } { $number }
message-field-add-to = Add to { $name }
