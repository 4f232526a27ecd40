// A connection to one engine.

import type { Transport } from "@connectrpc/connect";

/** A connection to one engine. */
export interface Line {
  readonly url: string;
  readonly transport: Transport;
  close(): void;
}

/** How connections are opened. */
export interface LineOptions {
  /** Node.js: whom to trust instead of the system's authorities, and who this client is, in PEM. */
  tls?: { ca?: string | Uint8Array; cert?: string | Uint8Array; key?: string | Uint8Array } | undefined;
  /** Node.js: whether large requests are compressed. */
  gzip?: boolean | undefined;
  /** Browsers: what makes requests, instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** An answer has at most so many bytes. */
export const ANSWER_BYTES = 16 << 20;
