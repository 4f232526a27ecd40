// gRPC-Web for browsers.

import { createGrpcWebTransport } from '@connectrpc/connect-web';
import type { Connection, ConnectionOptions } from './connection.js';

/** Returns the default address of the engine: the server of the page. */
export function defaultEngines(): string {
  return globalThis.location?.origin ?? '';
}

export function openConnection(url: string, options: ConnectionOptions): Connection {
  if (options.tls)
    throw new TypeError('`tls` is not supported in browsers, which use their own certificates');
  const transport = createGrpcWebTransport({
    baseUrl: url,
    ...(options.fetch && { fetch: options.fetch }),
  });
  return { url, transport, close: () => {} };
}
