export function Operator(_: { part: string }) {
  return null;
}
