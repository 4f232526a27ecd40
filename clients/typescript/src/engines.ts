// Connections to engines: several that share their games, of which one is in use.

import { Code } from "@connectrpc/connect";
import { openLine, usualEngines } from "#transport";
import { Health, HealthCheckResponse_ServingStatus } from "../gen/grpc/health/v1/health_pb.js";
import { type Refused, Unreachable } from "./refused.js";
import type { Line, LineOptions } from "./transport/line.js";

// So long may an engine take to say how it is. One that hangs is left.
const HEALTH_MS = 5_000;

/** Reads addresses: "host:port", "http://host:port" or "https://host", as a list or with commas between several. */
export function addresses(engines: string | readonly string[] | undefined): string[] {
  const given = engines ?? usualEngines();
  const texts = typeof given === "string" ? given.split(",") : given;
  const found = texts.map((text) => address(text.trim()));
  if (found.length === 0) throw new TypeError("name at least one engine");
  return found;
}

function address(text: string): string {
  const wrong = new TypeError(`"${text}" is no address of an engine: write HOST:PORT, http://HOST:PORT or https://HOST:PORT`);
  const bare = !/^\w+:\/\//.test(text);
  // A scheme has a usual port; an address without one has to say it.
  if (bare && !/:\d+$/.test(text)) throw wrong;
  const url = parsed(bare ? `http://${text}` : text, wrong);
  const plain = !url.search && !url.hash && !url.username && !url.password;
  if (!(url.protocol === "http:" || url.protocol === "https:") || !url.hostname || !plain) throw wrong;
  return url.href.replace(/\/$/, "");
}

function parsed(text: string, wrong: TypeError): URL {
  try {
    return new URL(text);
  } catch {
    throw wrong;
  }
}

/** Whether others on the network can read what is sent there: plain http to another machine. */
export function isExposed(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const here = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "http:" && !here;
}

/** The engines that a client knows. Of several the first that says it serves is used; after a failure the next that serves. */
export class Engines {
  readonly #urls: readonly string[];
  readonly #options: LineOptions;
  readonly #lines = new Map<number, Line>();
  #at = 0;
  #chosen: boolean;
  #choosing: Promise<void> | undefined;

  constructor(engines: string | readonly string[] | undefined, options: LineOptions) {
    this.#urls = addresses(engines);
    this.#options = options;
    if (options.tls && !this.#urls.every((url) => url.startsWith("https:"))) {
      throw new TypeError("certificates need engines with https:// addresses");
    }
    // A single engine needs no choice.
    this.#chosen = this.#urls.length === 1;
  }

  /** The address of the engine that is in use. */
  get url(): string {
    return this.#urls[this.#at] ?? "";
  }

  /** The first of these engines that is exposed. */
  get exposed(): string | undefined {
    return this.#urls.find(isExposed);
  }

  /** The connection to use now. Throws `Unreachable` if no engine serves. */
  async line(): Promise<Line> {
    if (!this.#chosen) {
      this.#choosing ??= this.#choose().finally(() => {
        this.#choosing = undefined;
      });
      await this.#choosing;
    }
    return this.#open(this.#at);
  }

  /** Leaves an engine that does not answer or is about to stop: the next call looks for one that serves. */
  leave(line: Line | undefined, refused: Refused): void {
    const gone = refused instanceof Unreachable || refused.code === Code.Unavailable;
    if (gone && this.#urls.length > 1 && line && this.#lines.get(this.#at) === line) {
      this.#chosen = false;
      this.#at = (this.#at + 1) % this.#urls.length;
    }
  }

  /** Closes all connections. */
  close(): void {
    for (const line of this.#lines.values()) line.close();
    this.#lines.clear();
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
    throw new Unreachable("none of the engines serves", { code: Code.Unavailable });
  }

  async #serves(at: number): Promise<boolean> {
    try {
      const { transport } = this.#open(at);
      const answer = await transport.unary(Health.method.check, undefined, HEALTH_MS, undefined, {});
      return answer.message.status === HealthCheckResponse_ServingStatus.SERVING;
    } catch {
      return false;
    }
  }

  #open(at: number): Line {
    const open = this.#lines.get(at) ?? openLine(this.#urls[at] ?? "", this.#options);
    this.#lines.set(at, open);
    return open;
  }
}
