# The report of a turn.

report-to-table = Zum Tisch
report-loading = Bericht wird geladen …
