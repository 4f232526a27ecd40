# The rulebook.

rulebook-rule-of-term = Regel { $rule }.
rulebook-title = Regelbuch: { $title }
rulebook-tutorial = Einführung
rulebook-print = Drucken
rulebook-contents = Inhalt
rulebook-search = Regelbuch durchsuchen
rulebook-terms = Begriffe
rulebook-nothing = „{ $text }“ kommt nicht vor.
rulebook-no-rule = Dieses Spiel hat keine Regel { $rule }.
rulebook-by-number = Regeln nach Nummer
rulebook-table = Tabelle
