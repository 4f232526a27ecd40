// Browsers speak gRPC-Web.

import { createGrpcWebTransport } from "@connectrpc/connect-web";
import type { Line, LineOptions } from "./line.js";

/** The engine that is meant if nobody names one: that which served the page. */
export function usualEngines(): string {
  return globalThis.location?.origin ?? "";
}

export function openLine(url: string, options: LineOptions): Line {
  if (options.tls) throw new TypeError("a browser has its own certificates: leave out `tls`");
  const transport = createGrpcWebTransport({ baseUrl: url, ...(options.fetch && { fetch: options.fetch }) });
  return { url, transport, close: () => {} };
}
