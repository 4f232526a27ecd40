// What a page gets: small, without Node.js, and by gRPC-Web.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { test } from "@heliopause/client/testing";
import { type BuildResult, build, type OutputFile } from "esbuild";
import { describe, expect, onTestFinished } from "vitest";
import { KIND } from "./duel.js";

const HERE = import.meta.dirname;
// A page that knows no game: it lists, makes, joins and plays games, and proves them when it is asked to.
const PAGE = `
  import { collect, connect, Lobby } from "@heliopause/client";
  import { optionsOf } from "@heliopause/client/options";
  export { collect, connect, Lobby, optionsOf };
  export const prove = async (table) => (await import("@heliopause/client/proof")).verify(await table.export());
`;

async function bundle(): Promise<{ files: OutputFile[]; inputs: string[] }> {
  const result: BuildResult<{ metafile: true; write: false }> = await build({
    stdin: { contents: PAGE, resolveDir: HERE },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    metafile: true,
    write: false,
    outdir: "out",
    entryNames: "page",
  });
  return { files: result.outputFiles, inputs: Object.keys(result.metafile.inputs) };
}

/** What is loaded at first: the page and all that it imports at once. */
function firstLoad(files: OutputFile[], name = "page.js", seen = new Map<string, Uint8Array>()): Map<string, Uint8Array> {
  const file = files.find(({ path }) => path.endsWith(`/${name}`));
  if (!file || seen.has(name)) return seen;
  seen.set(name, file.contents);
  for (const [, , other = ""] of file.text.matchAll(/(?:from|^import|;import)("|')\.\/([\w.-]+\.js)\1/g))
    firstLoad(files, other, seen);
  return seen;
}

describe("a page", () => {
  test("is small at first, and has no game and nothing of Node.js in it", async () => {
    const { files, inputs } = await bundle();
    expect(inputs.filter((path) => path.includes("connect-node"))).toEqual([]);
    const parts = [...firstLoad(files).values()];
    const all = Buffer.concat(parts);
    const sizes = { bytes: all.length, gzip: gzipSync(all, { level: 9 }).length, brotli: brotliCompressSync(all).length };
    console.log(sizes);
    expect(sizes.gzip).toBeLessThan(70_000);
    expect(all.includes("heliopause.v1.GameService") || all.includes("GameService")).toBe(true);
    for (const game of ["StarshipsAtLarge", "starships_at_large.v1", "blake3"]) expect(all.includes(game)).toBe(false);
  });

  test("plays by gRPC-Web", async ({ engine, account }) => {
    mkdirSync(HERE, { recursive: true });
    const folder = mkdtempSync(join(HERE, "made-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { files } = await bundle();
    for (const { path, contents } of files) writeFileSync(join(folder, path.split("/").at(-1) ?? ""), contents);
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    // What a browser has Node.js has too: fetch, streams, timers.
    const page: typeof import("@heliopause/client") &
      typeof import("@heliopause/client/options") & { prove: (table: unknown) => Promise<{ valid: boolean }> } = await import(
      /* @vite-ignore */ pathToFileURL(join(folder, "page.js")).href
    );
    const client = page.connect(`http://${engine.address}`, { ...(account.engine.token && { token: account.engine.token }) });
    const lobby = new page.Lobby(client);
    const kind = (await lobby.kinds()).find((one) => one.kind === KIND);
    if (!kind) throw new Error("the kind is not there");
    const game = await lobby.sandbox(KIND, { players: 1, options: await page.optionsOf(kind, { rounds: 1 }) });
    const table = game.seat(1);
    expect((await table.untilAsked("turn")).kind).toBe("turn");
    await expect(table.order("move A9 to (9,9)")).rejects.toMatchObject({
      name: "Refused",
      reason: "ORDER_REFUSED",
      rule: expect.stringMatching(/\S/),
    });
    expect((await table.map()).map).toContain("<svg");
    const stop = table.follow({ after: 0 });
    while (!table.over) {
      const offers = await table.offers();
      if (offers.decision) await table.order("end");
    }
    stop();
    expect(await page.prove(table)).toMatchObject({ valid: true });
  });
});
