# Links to rules and terms.

rule-number = Regel { $rule }
rule-same-step = Im selben Schritt
rule-open-rulebook = Regelbuch öffnen
rule-what-is = { $term }: Was ist das?
