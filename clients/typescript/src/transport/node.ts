// Node.js speaks gRPC.

import { compressionGzip, createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { ANSWER_BYTES, type Line, type LineOptions } from "./line.js";

/** The engine that is meant if nobody names one. */
export function usualEngines(): string {
  return process.env["HELIOPAUSE_ENGINE"] || "127.0.0.1:50051";
}

export function openLine(url: string, options: LineOptions): Line {
  const { ca, cert, key } = options.tls ?? {};
  const pem = (text: string | Uint8Array) => (typeof text === "string" ? text : Buffer.from(text));
  const tls = { ...(ca && { ca: pem(ca) }), ...(cert && { cert: pem(cert) }), ...(key && { key: pem(key) }) };
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
