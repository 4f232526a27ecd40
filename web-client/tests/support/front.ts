// What stands between a browser and the engine in the tests: a proxy that can cut every line. Where
// the engine does not serve the page itself, the front serves the built files by the same rules.

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

const dist = resolve(dirname(fileURLToPath(import.meta.url)), '../../dist');

/** The policy under which the engine serves the page. */
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
  'trusted-types dompurify',
].join('; ');

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

export class Front {
  readonly port: number;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly onwards = new Set<ClientRequest>();
  /** Whether calls go through. */
  isOpen = true;
  /** How many bytes of calls went out to the page. */
  sent = 0;
  /** Changes the messages of answers to calls on their way to the page. */
  twist: ((path: string, message: Uint8Array) => Uint8Array) | undefined;
  /** What the page asked for, to look for secrets in it. */
  readonly paths: string[] = [];

  private constructor(server: Server, port: number) {
    this.server = server;
    this.port = port;
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  static async start(engine: () => number, servesItself = false): Promise<Front> {
    let front: Front | undefined;
    const server = createServer((incoming, answer) => {
      if (!front) return;
      front.paths.push(incoming.url ?? '');
      const isCall = (incoming.url ?? '').startsWith('/heliopause.');
      if (isCall || servesItself) front.pass(incoming, answer, engine());
      else serve(incoming.url ?? '/', answer);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    front = new Front(server, address.port);
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Cuts every line that is open, and lets none through until it is opened again. */
  cut(): void {
    this.isOpen = false;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Lets every line that is open die without a word, and no new one through. */
  mute(): void {
    this.isOpen = false;
    for (const onward of this.onwards) onward.destroy();
  }

  async stop(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    this.cut();
    // A browser opens lines that it may use later: they would keep the server.
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
        // A line that was muted says nothing more, not even that it has ended.
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

/** The frames of gRPC-Web, of which each message is changed. */
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
      // Trailers have the first bit; nothing here is compressed.
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

function serve(url: string, answer: ServerResponse): void {
  const path = normalize(new URL(url, 'http://front').pathname);
  const name = extname(path) === '' ? 'index.html' : path;
  try {
    // As the engine does, which compresses each file once.
    const body = gzipSync(readFileSync(join(dist, name)));
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
