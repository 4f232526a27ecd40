// Connections to one or several engines that share games, and the choice between them.

import { Code } from '@connectrpc/connect';
import { defaultEngines, openConnection } from '#transport';
import { Health, HealthCheckResponse_ServingStatus } from '../gen/grpc/health/v1/health_pb.js';
import { type Refused, Unreachable } from './refused.js';
import type { Connection, ConnectionOptions } from './transport/connection.js';

// The timeout of a health check. An engine that hangs is skipped.
const HEALTH_MS = 5_000;

/** Parses addresses, given as a list or separated by commas. */
export function addresses(engines: string | readonly string[] | undefined): string[] {
  const given = engines ?? defaultEngines();
  const texts = typeof given === 'string' ? given.split(',') : given;
  const found = texts.map((text) => address(text.trim()));
  if (found.length === 0) throw new TypeError('specify the address of at least one engine');
  return found;
}

function address(text: string): string {
  const wrong = new TypeError(
    `"${text}" is not an engine address; expected HOST:PORT, http://HOST:PORT or https://HOST:PORT`,
  );
  const bare = !/^\w+:\/\//.test(text);
  // Schemes have a default port. An address without a scheme must name the port.
  if (bare && !/:\d+$/.test(text)) throw wrong;
  const url = parsed(bare ? `http://${text}` : text, wrong);
  const plain = !url.search && !url.hash && !url.username && !url.password;
  if (!(url.protocol === 'http:' || url.protocol === 'https:') || !url.hostname || !plain)
    throw wrong;
  return url.href.replace(/\/$/, '');
}

function parsed(text: string, wrong: TypeError): URL {
  try {
    return new URL(text);
  } catch {
    throw wrong;
  }
}

/** Returns whether traffic to an address is unencrypted: HTTP to another machine. */
export function isExposed(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const here = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === 'http:' && !here;
}

/** The known engines. If there are several, the first healthy engine is used until it fails. */
export class Engines {
  readonly #urls: readonly string[];
  readonly #options: ConnectionOptions;
  readonly #connections = new Map<number, Connection>();
  #at = 0;
  #chosen: boolean;
  #choosing: Promise<void> | undefined;

  constructor(engines: string | readonly string[] | undefined, options: ConnectionOptions) {
    this.#urls = addresses(engines);
    this.#options = options;
    if (options.tls && !this.#urls.every((url) => url.startsWith('https:'))) {
      throw new TypeError('certificates require https:// engine addresses');
    }
    // A single engine needs no health check.
    this.#chosen = this.#urls.length === 1;
  }

  /** The address of the engine in use. */
  get url(): string {
    return this.#urls[this.#at] ?? '';
  }

  /** The first of the engines that is exposed, or undefined if there is none. */
  get exposed(): string | undefined {
    return this.#urls.find(isExposed);
  }

  /** Returns the connection to use now. Throws `Unreachable` if no engine serves. */
  async connection(): Promise<Connection> {
    if (!this.#chosen) {
      this.#choosing ??= this.#choose().finally(() => {
        this.#choosing = undefined;
      });
      await this.#choosing;
    }
    return this.#open(this.#at);
  }

  /** Stops using an engine that fails or drains: the next call chooses another. */
  leave(connection: Connection | undefined, refused: Refused): void {
    const gone = refused instanceof Unreachable || refused.code === Code.Unavailable;
    if (
      gone &&
      this.#urls.length > 1 &&
      connection &&
      this.#connections.get(this.#at) === connection
    ) {
      this.#chosen = false;
      this.#at = (this.#at + 1) % this.#urls.length;
    }
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
  }

  async #choose(): Promise<void> {
    for (let step = 0; step < this.#urls.length; step++) {
      const at = (this.#at + step) % this.#urls.length;
      if (await this.#serves(at)) {
        this.#at = at;
        this.#chosen = true;
        return;
      }
    }
    const message = `none of the engines is ready: ${this.#urls.join(', ')}`;
    throw new Unreachable(message, { code: Code.Unavailable });
  }

  async #serves(at: number): Promise<boolean> {
    try {
      const { transport } = this.#open(at);
      const answer = await transport.unary(
        Health.method.check,
        undefined,
        HEALTH_MS,
        undefined,
        {},
      );
      return answer.message.status === HealthCheckResponse_ServingStatus.SERVING;
    } catch {
      return false;
    }
  }

  #open(at: number): Connection {
    const open = this.#connections.get(at) ?? openConnection(this.#urls[at] ?? '', this.#options);
    this.#connections.set(at, open);
    return open;
  }
}
