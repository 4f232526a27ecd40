import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const client = (path: string) =>
  fileURLToPath(new URL(`../clients/typescript/src/${path}`, import.meta.url));

export default defineConfig({
  base: '/',
  resolve: {
    // The client is built with the page, from its sources: the page takes only what it uses.
    alias: [
      { find: '#transport', replacement: client('transport/web.ts') },
      { find: /^@heliopause\/client$/, replacement: client('index.ts') },
      { find: /^@heliopause\/client\/games$/, replacement: client('games/index.ts') },
      { find: /^@heliopause\/client\/(\w+)$/, replacement: client('$1.ts') },
    ],
    // And from here come the packages that both of them need.
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
  },
  test: { include: ['src/**/*.test.ts', 'src/**/*.test.tsx'] },
});
