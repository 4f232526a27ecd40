// Options and limits of a connection to one engine.

import type { Transport } from '@connectrpc/connect';

export interface Connection {
  readonly url: string;
  readonly transport: Transport;
  close(): void;
}

export interface ConnectionOptions {
  /** Node.js: certificate authority, and client certificate with key, in PEM. */
  tls?:
    | { ca?: string | Uint8Array; cert?: string | Uint8Array; key?: string | Uint8Array }
    | undefined;
  /** Node.js: whether to compress large requests. */
  gzip?: boolean | undefined;
  /** Browsers: a replacement for the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The maximum size of a response. */
export const ANSWER_BYTES = 16 << 20;
