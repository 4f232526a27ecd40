// A proxy between the browser and the engine that can cut connections. If the engine does not serve
// the page, the proxy serves the built files with the same headers.

import { readFileSync } from 'node:fs';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { dirname, extname, join, normalize, resolve } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** The folder of the built page. `WEB_DIST` replaces it, for example to test a build. */
export const DIST = resolve(
  dirname(fileURLToPath(import.meta.url)),
  process.env['WEB_DIST'] ?? '../../dist',
);

/** The policy with which the engine serves the page. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types dompurify service-worker',
].join('; ');

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

export class EngineProxy {
  readonly port: number;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly onwards = new Set<ClientRequest>();
  isOpen = true;
  sent = 0;
  /** Changes the files of the page. */
  rewrite: ((path: string, body: Buffer) => Buffer) | undefined;
  twist: ((path: string, message: Uint8Array) => Uint8Array) | undefined;
  /** The requested paths: tests look for secrets in them. */
  readonly paths: string[] = [];

  private constructor(server: Server, port: number) {
    this.server = server;
    this.port = port;
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  static async start(engine: () => number, servesItself = false): Promise<EngineProxy> {
    let proxy: EngineProxy | undefined;
    const server = createServer((incoming, answer) => {
      if (!proxy) return;
      proxy.paths.push(incoming.url ?? '');
      const isCall = (incoming.url ?? '').startsWith('/heliopause.');
      if (isCall || servesItself) proxy.pass(incoming, answer, engine());
      else serve(incoming.url ?? '/', answer, proxy.rewrite);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    proxy = new EngineProxy(server, address.port);
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Closes all connections, and rejects new ones until `isOpen` is set. */
  cut(): void {
    this.isOpen = false;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Lets all connections die silently, and rejects new ones. */
  mute(): void {
    this.isOpen = false;
    for (const onward of this.onwards) onward.destroy();
  }

  async stop(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    this.cut();
    // A browser keeps idle connections open, which would keep the server running.
    this.server.closeAllConnections();
    await closed;
  }

  private pass(incoming: IncomingMessage, answer: ServerResponse, port: number): void {
    if (!this.isOpen) {
      incoming.socket.destroy();
      return;
    }
    const onward = request(
      {
        host: '127.0.0.1',
        port,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      },
      (reply) => {
        const { 'content-length': _, ...headers } = reply.headers;
        answer.writeHead(reply.statusCode ?? 502, this.twist ? headers : reply.headers);
        reply.on('data', (part: Buffer) => {
          this.sent += part.length;
        });
        const { twist } = this;
        if (twist) {
          const frames = new Frames((message) => twist(incoming.url ?? '', message));
          reply.pipe(frames).pipe(answer);
        } else reply.pipe(answer);
        // A muted connection sends nothing more, not even its end.
        reply.once('error', () => this.isOpen && incoming.socket.destroy());
      },
    );
    this.onwards.add(onward);
    onward.once('close', () => this.onwards.delete(onward));
    onward.once('error', () => this.isOpen && incoming.socket.destroy());
    answer.once('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}

/** Parses gRPC-Web frames and changes each message. */
class Frames extends Transform {
  private rest: Buffer = Buffer.alloc(0);
  private readonly change: (message: Uint8Array) => Uint8Array;

  constructor(change: (message: Uint8Array) => Uint8Array) {
    super();
    this.change = change;
  }

  override _transform(part: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.rest = Buffer.concat([this.rest, part]);
    while (this.rest.length >= 5 && this.rest.length >= 5 + this.rest.readUInt32BE(1)) {
      const end = 5 + this.rest.readUInt32BE(1);
      const frame = this.rest.subarray(0, end);
      this.rest = this.rest.subarray(end);
      // The first bit marks trailers. The messages are not compressed.
      if (frame[0] === 0) {
        const message = this.change(frame.subarray(5));
        const head = Buffer.alloc(5);
        head.writeUInt32BE(message.length, 1);
        this.push(Buffer.concat([head, message]));
      } else this.push(frame);
    }
    done();
  }
}

function serve(url: string, answer: ServerResponse, rewrite: EngineProxy['rewrite']): void {
  const path = normalize(new URL(url, 'http://proxy').pathname);
  const name = extname(path) === '' ? 'index.html' : path;
  try {
    // Compressed like the engine's files.
    const file = readFileSync(join(DIST, name));
    const body = gzipSync(rewrite ? rewrite(`/${name}`.replace('//', '/'), file) : file);
    answer.writeHead(200, {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
      'content-encoding': 'gzip',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    answer.end(body);
  } catch {
    answer.writeHead(404).end();
  }
}
