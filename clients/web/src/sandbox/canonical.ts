// Compares orders as JSON.

import type { JsonValue } from '@bufbuild/protobuf';

/** Writes JSON so that equal values have equal texts, regardless of case and order in lists. */
export function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).toLowerCase();
  const fields = Object.entries(value).map(([name, each]) => `${name}:${canonical(each)}`);
  return `{${fields.sort().join()}}`;
}
