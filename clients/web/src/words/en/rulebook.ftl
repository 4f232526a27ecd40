# The rulebook.

rulebook-rule-of-term = Rule { $rule }.
rulebook-title = Rulebook: { $title }
rulebook-tutorial = Tutorial
rulebook-print = Print
rulebook-contents = Contents
rulebook-search = Search the rulebook
rulebook-terms = Terms
rulebook-nothing = Nothing contains “{ $text }”.
rulebook-no-rule = This game has no rule { $rule }.
rulebook-by-number = Rules by number
rulebook-table = Table
