// The real programs: starts an engine and an AI client for a test and stops them after it.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

export function programs(): string {
  const folder = process.env['HELIOPAUSE_BIN'] ?? resolve(here, '../../../../target/debug');
  if (!existsSync(join(folder, 'engine-service'))) {
    throw new Error(
      `engine-service is not in ${folder}: build it, or set HELIOPAUSE_BIN to its folder`,
    );
  }
  return folder;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** An engine with its data. It can be killed and restarted on the same port. */
export class Engine {
  readonly data: string;
  readonly port: number;
  private readonly flags: readonly string[];
  private process: ChildProcess | undefined;
  private worker: ChildProcess | undefined;
  log = '';

  private constructor(port: number, flags: readonly string[]) {
    this.port = port;
    this.flags = flags;
    this.data = mkdtempSync(join(tmpdir(), 'heliopause-web-'));
  }

  static async start(
    flags: readonly string[] | ((port: number) => readonly string[]) = [],
  ): Promise<Engine> {
    const port = await freePort();
    const engine = new Engine(port, typeof flags === 'function' ? flags(port) : flags);
    await engine.begin();
    return engine;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns a token that the engine wrote on its first start. */
  token(of: 'admin' | 'worker'): string {
    return readFileSync(join(this.data, `${of}.token`), 'utf8').trim();
  }

  async begin(): Promise<void> {
    const child = spawn(
      join(programs(), 'engine-service'),
      ['--listen', `127.0.0.1:${this.port}`, '--data', this.data, ...this.flags],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.process = child;
    child.stderr?.on('data', (text) => {
      this.log += String(text);
    });
    await new Promise<void>((ready, fail) => {
      child.stdout?.on('data', (text) => String(text).includes('heliopause ready') && ready());
      child.once('exit', (code) => fail(new Error(`the engine exited with ${code}\n${this.log}`)));
    });
  }

  /** Starts an AI client that plays every automated seat. */
  automate(): void {
    this.worker = spawn(
      join(programs(), 'ai-client'),
      ['--engine', this.url, '--token-file', join(this.data, 'worker.token')],
      { stdio: 'ignore' },
    );
  }

  async kill(): Promise<void> {
    await ended(this.process, 'SIGKILL');
  }

  async stop(): Promise<void> {
    await ended(this.worker, 'SIGKILL');
    await ended(this.process, 'SIGKILL');
    rmSync(this.data, { recursive: true, force: true });
  }
}

async function ended(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await exit;
}
