import type { Table } from '../table/table';

export function Proof(_: { table: Table }) {
  return null;
}
