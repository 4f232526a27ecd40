import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { fluent } from './fluent.ts';

const client = (path: string) =>
  fileURLToPath(new URL(`../typescript/src/${path}`, import.meta.url));

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Writes the service worker with the names of the files that it caches, and the font's license. */
const extraFiles: Plugin = {
  name: 'extra-files',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => name.startsWith('assets/'))
        .map((name) => `/${name}`)
        .toSorted();
      const hash = createHash('sha256').update(files.join()).digest('hex').slice(0, 16);
      const source = read('src/service-worker.js')
        .replace('[]', JSON.stringify(files))
        .replace("'CACHE'", `'${hash}'`);
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
      const licenses = bundle['licenses.txt'];
      if (licenses?.type !== 'asset') throw new Error('the build wrote no licenses.txt');
      licenses.source += `\n## Geist (OFL-1.1)\n\n${read('node_modules/@fontsource-variable/geist/LICENSE')}`;
    },
  },
};

export default defineConfig({
  base: '/',
  plugins: [fluent(), extraFiles],
  resolve: {
    // The client package is bundled from its sources, so that unused parts are left out.
    alias: [
      { find: '#transport', replacement: client('transport/web.ts') },
      { find: /^@heliopause\/client$/, replacement: client('index.ts') },
      { find: /^@heliopause\/client\/games$/, replacement: client('games/index.ts') },
      { find: /^@heliopause\/client\/(games\/[\w-]+|\w+)$/, replacement: client('$1.ts') },
    ],
    // Packages that both need come from this folder.
    dedupe: [
      '@bufbuild/protobuf',
      '@connectrpc/connect',
      '@connectrpc/connect-web',
      '@noble/hashes',
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licenses.txt' },
  },
  test: { include: ['src/**/*.test.ts', 'src/**/*.test.tsx'] },
});
