// Prints the compressed size of what a browser loads before the page can be used: the page, its
// style sheet, its font, and the scripts it imports immediately. Fails if the total exceeds the
// argument.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const most = Number(process.argv[2] ?? '200000');
const dist = new URL('dist/', import.meta.url).pathname;

/** Returns the files that the page or one of its files loads immediately. */
function needs(text) {
  const found = new Set();
  for (const [, name] of text.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)) found.add(name);
  for (const [, name] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) found.add(`assets/${name}`);
  return found;
}

const first = new Set(['index.html']);
for (const name of first) {
  for (const other of needs(readFileSync(join(dist, name), 'utf8'))) first.add(other);
}
let total = 0;
for (const name of first) {
  const bytes = gzipSync(readFileSync(join(dist, name)), { level: 9 }).length;
  total += bytes;
  console.log(`${String(bytes).padStart(8)}  ${name}`);
}
const all = readdirSync(join(dist, 'assets')).length;
console.log(`${String(total).padStart(8)}  first load, gzip (${first.size} of ${all + 1} files; at most ${most})`);
if (total > most) process.exit(1);
