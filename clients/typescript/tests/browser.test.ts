// The package in a browser: its size, no Node.js modules, and gRPC-Web.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { test } from '@heliopause/client/testing';
import { type BuildResult, build, type Metafile } from 'esbuild';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { KIND } from './duel.js';

const HERE = import.meta.dirname;
// The source of a page that uses every part of the client. The proof is imported on demand.
const PAGE = `
  import { Bot, collect, connect, Lobby } from "@heliopause/client";
  import { optionsOf } from "@heliopause/client/options";
  export { Bot, collect, connect, Lobby, optionsOf };
  export const prove = async (table) => (await import("@heliopause/client/proof")).verify(await table.export());
`;

function bundle(): Promise<BuildResult<{ metafile: true; write: false }>> {
  return build({
    stdin: { contents: PAGE, resolveDir: HERE },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    write: false,
    outdir: 'out',
    entryNames: 'page',
  });
}

/** Returns the files of the first load: the page's own and its static imports. */
function firstLoad({ outputs }: Metafile, path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const other of outputs[path]?.imports ?? [])
    if (other.kind === 'import-statement') firstLoad({ inputs: {}, outputs }, other.path, seen);
  return seen;
}

describe('a page', () => {
  test('has a small first load without game code or Node.js modules', async () => {
    const { outputFiles, metafile } = await bundle();
    const paths = [...firstLoad(metafile, 'out/page.js')];
    const parts = outputFiles.filter((file) =>
      paths.some((path) => file.path.endsWith(`/${path}`)),
    );
    const all = Buffer.concat(parts.map(({ contents }) => contents));
    const sizes = {
      bytes: all.length,
      gzip: gzipSync(all, { level: 9 }).length,
      brotli: brotliCompressSync(all).length,
    };
    console.log(sizes);
    expect(sizes.gzip).toBeGreaterThan(20_000);
    expect(sizes.gzip).toBeLessThan(80_000);
    const inputs = paths.flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
    expect(inputs.some((path) => path.endsWith('gen/heliopause/v1/game_pb.js'))).toBe(true);
    expect(
      inputs.filter((path) => /connect-node|@noble|gen\/heliopause\/(?!v1\/)/.test(path)),
    ).toEqual([]);
    expect(Object.keys(metafile.inputs).filter((path) => path.includes('connect-node'))).toEqual(
      [],
    );
  });

  test('plays with gRPC-Web', async ({ engine, account }) => {
    mkdirSync(HERE, { recursive: true });
    const folder = mkdtempSync(join(HERE, 'made-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { outputFiles } = await bundle();
    for (const { path, contents } of outputFiles)
      writeFileSync(join(folder, path.split('/').at(-1) ?? ''), contents);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    // Node.js provides everything that the page needs from a browser: fetch, streams, timers.
    const page: typeof import('@heliopause/client') &
      typeof import('@heliopause/client/options') & {
        prove: (table: unknown) => Promise<{ valid: boolean }>;
      } = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'page.js')).href);
    const client = page.connect(`http://${engine.address}`, {
      ...(account.engine.token && { token: account.engine.token }),
    });
    const lobby = new page.Lobby(client);
    const kind = (await lobby.kinds()).find((one) => one.kind === KIND);
    if (!kind) throw new Error('the engine does not offer this kind');
    const game = await lobby.sandbox(KIND, {
      players: 1,
      options: await page.optionsOf(kind, { rounds: 1 }),
    });
    const table = game.seat(1);
    expect((await table.untilAsked('turn')).kind).toBe('turn');
    await expect(table.order('to be or not')).rejects.toMatchObject({
      name: 'Refused',
      reason: 'MALFORMED_ORDER',
      metadata: { line: '1' },
    });
    expect((await table.map()).map).toContain('<svg');
    const heard: bigint[] = [];
    const beside = await lobby.table(game.gameId, { seat: 1 });
    beside.onEvent(({ number }) => heard.push(number));
    const stop = beside.follow({ after: 0 });
    await new page.Bot(() => 'end').play(table);
    await vi.waitUntil(() => beside.over, { timeout: 30_000 });
    stop();
    expect(heard).toEqual(heard.map((_, at) => BigInt(at + 1)));
    expect(await page.prove(table)).toMatchObject({ valid: true });
  });
});
