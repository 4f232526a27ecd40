// gRPC for Node.js.

import {
  compressionGzip,
  createGrpcTransport,
  Http2SessionManager,
} from '@connectrpc/connect-node';
import { ANSWER_BYTES, type Connection, type ConnectionOptions } from './connection.js';

/** Returns the default address of the engine. */
export function defaultEngines(): string {
  return process.env['HELIOPAUSE_ENGINE'] || '127.0.0.1:50051';
}

export function openConnection(url: string, options: ConnectionOptions): Connection {
  const { ca, cert, key } = options.tls ?? {};
  const pem = (text: string | Uint8Array) => (typeof text === 'string' ? text : Buffer.from(text));
  const tls = {
    ...(ca && { ca: pem(ca) }),
    ...(cert && { cert: pem(cert) }),
    ...(key && { key: pem(key) }),
  };
  const sessionManager = new Http2SessionManager(url, { pingIntervalMs: 30_000 }, tls);
  const transport = createGrpcTransport({
    baseUrl: url,
    sessionManager,
    acceptCompression: [compressionGzip],
    ...(options.gzip !== false && { sendCompression: compressionGzip }),
    readMaxBytes: ANSWER_BYTES,
  });
  return { url, transport, close: () => sessionManager.abort() };
}
