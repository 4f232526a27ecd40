// The programs of Heliopause as child processes of a test.

import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

// Generous: starting can take long on a busy machine.
const READY_MS = 120_000;
const STOP_MS = 60_000;

/** A program that is missing, did not start, or exited by itself. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
}

/** Finds a program in HELIOPAUSE_BIN, on the PATH, or in a `target` folder here or above. */
export function program(name: string): string {
  const folder = process.env['HELIOPAUSE_BIN'];
  const folders = folder
    ? [folder]
    : [...(process.env['PATH'] ?? '').split(delimiter), ...targets(process.cwd())];
  const found = folders.map((one) => join(one, name)).find(isProgram);
  if (found) return found;
  const where = folder ? `in ${folder} (from HELIOPAUSE_BIN)` : 'on the PATH or in a target folder';
  throw new ProgramError(`${name} was not found ${where}`);
}

function targets(from: string): string[] {
  const here = ['release', 'debug', 'play'].map((made) => join(from, 'target', made));
  return dirname(from) === from ? here : [...here, ...targets(dirname(from))];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A child process that writes its standard error to a file. */
class Program {
  readonly name: string;
  /** The file with the standard error of the process. */
  readonly log: string;
  #process: ChildProcess | undefined;

  constructor(name: string, folder: string) {
    this.name = name;
    this.log = join(folder, `${name}.log`);
  }

  get running(): boolean {
    return (
      this.#process !== undefined &&
      this.#process.exitCode === null &&
      this.#process.signalCode === null
    );
  }

  /** Stops the process with SIGTERM. Throws `ProgramError` if it had exited by itself. */
  async stop(): Promise<void> {
    const process = this.#process;
    if (!process) return;
    this.#process = undefined;
    const ended = process.exitCode ?? process.signalCode;
    if (ended !== null)
      throw new ProgramError(`${this.name} exited unexpectedly with ${ended}:\n${this.written()}`);
    const exit = once(process, 'exit');
    process.kill('SIGTERM');
    const stuck = setTimeout(() => process.kill('SIGKILL'), STOP_MS);
    await exit;
    clearTimeout(stuck);
    if (process.signalCode === 'SIGKILL')
      throw new ProgramError(`${this.name} did not stop within ${STOP_MS} ms:\n${this.written()}`);
  }

  async kill(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const exit = once(process, 'exit');
    process.kill('SIGKILL');
    await exit;
  }

  written(): string {
    return existsSync(this.log) ? readFileSync(this.log, 'utf8').slice(-4000) : '';
  }

  protected spawn(args: readonly string[], stdout: 'pipe' | 'ignore'): ChildProcess {
    if (this.running) throw new ProgramError(`${this.name} is already running`);
    const log = openSync(this.log, 'a');
    const stdio: StdioOptions = ['ignore', stdout, log];
    this.#process = spawn(program(this.name), args, { stdio });
    closeSync(log);
    return this.#process;
  }
}

/** An engine with its own data folder on a free port, which it keeps after a restart. */
export class EngineProcess extends Program {
  readonly data: string;
  /** The address as HOST:PORT. */
  address = '127.0.0.1:0';
  readonly #args: readonly string[];

  constructor(folder: string, args: readonly string[] = ['--sandbox']) {
    super('engine-service', folder);
    this.data = join(folder, 'data');
    this.#args = args;
  }

  /** The file with the token for workers. */
  get workerTokenFile(): string {
    return join(this.data, 'worker.token');
  }

  get workerToken(): string {
    return readFileSync(this.workerTokenFile, 'utf8').trim();
  }

  get adminToken(): string {
    return readFileSync(join(this.data, 'admin.token'), 'utf8').trim();
  }

  /** Starts the engine and waits until it is ready. A restart keeps the games and the port. */
  async start(): Promise<this> {
    const process = this.spawn(
      ['--listen', this.address, '--data', this.data, ...this.#args],
      'pipe',
    );
    const stuck = setTimeout(() => process.kill('SIGKILL'), READY_MS);
    try {
      const line = process.stdout ? await firstLine(process.stdout) : '';
      const ready = /^heliopause ready grpc=(\S+)/.exec(line);
      if (!ready?.[1]) throw new ProgramError(`the engine is not ready:\n${this.written()}`);
      this.address = ready[1];
      return this;
    } catch (error) {
      await this.kill();
      throw error;
    } finally {
      clearTimeout(stuck);
    }
  }
}

/** The AI client, which plays an engine's automated seats. */
export class AiProcess extends Program {
  readonly #engine: EngineProcess;

  constructor(folder: string, engine: EngineProcess) {
    super('ai-client', folder);
    this.#engine = engine;
  }

  start(): this {
    this.spawn(
      ['--engine', `http://${this.#engine.address}`, '--token-file', this.#engine.workerTokenFile],
      'ignore',
    );
    return this;
  }
}

/** Runs scenario files against an engine and returns the output. Throws if one fails. */
export async function runScenario(
  engine: EngineProcess,
  folder: string,
  files: readonly string[],
  { withAi = false } = {},
): Promise<string> {
  const args = ['scenario', ...files, '--engine', `http://${engine.address}`];
  if (withAi) args.push('--with-ai', '--ai-token-file', engine.workerTokenFile);
  // Scenarios use their own account instead of the environment's.
  const { HELIOPAUSE_TOKEN: _, ...environment } = process.env;
  try {
    const { stdout } = await promisify(execFile)(program('cli-client'), args, {
      env: { ...environment, HELIOPAUSE_CONFIG_DIR: folder },
      maxBuffer: 64 << 20,
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(stdout || stderr ? `${stdout}${stderr}` : String(error), { cause: error });
  }
}

/**
 * Returns the first line of a process's output, or an empty string if there is none. Discards the
 * rest.
 */
async function firstLine(output: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: output });
  return new Promise((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
}
