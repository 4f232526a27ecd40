# The report of a turn.

report-to-table = To the table
report-loading = Loading the report…
