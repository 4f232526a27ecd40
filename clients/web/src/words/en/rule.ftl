# Links to rules and terms.

rule-number = Rule { $rule }
rule-same-step = In the same step
rule-open-rulebook = Open the rulebook
rule-what-is = { $term }: what is this?
