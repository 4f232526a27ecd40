// Finds the numbers of rules in texts.

const NUMBER = String.raw`(?:[A-Za-z]+-?)?\d+(?:\.[A-Z\d]+)*(?:[a-z]\b)?`;
const REFERENCE = new RegExp(String.raw`\b[Rr]ules? ${NUMBER}(?:(?:, | and | to )${NUMBER})*`, 'g');

/** A part of a text. `rule` is the number that it is; empty for other text. */
export interface RulePart {
  text: string;
  rule: string;
}

/** Splits a text at the numbers of rules after the word "rule". */
export function ruleParts(text: string): RulePart[] {
  const parts: RulePart[] = [];
  const add = (part: string, rule = '') => {
    if (part !== '') parts.push({ text: part, rule });
  };
  let from = 0;
  for (const found of text.matchAll(REFERENCE)) {
    const [reference] = found;
    const word = reference.indexOf(' ') + 1;
    add(text.slice(from, found.index + word));
    from = found.index + reference.length;
    const list = reference.slice(word);
    let at = 0;
    for (const number of list.matchAll(new RegExp(NUMBER, 'g'))) {
      add(list.slice(at, number.index));
      add(number[0], number[0]);
      at = number.index + number[0].length;
    }
  }
  add(text.slice(from));
  return parts;
}
