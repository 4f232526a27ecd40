// A proxy that repeatedly cuts connections to an engine.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards bytes to an engine, and closes each connection after a number of bytes from the engine. */
export class CuttingProxy {
  cuts = 0;
  readonly #to: { host: string; port: number };
  readonly #cut: number;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(address: string, { cut = Number.POSITIVE_INFINITY }: { cut?: number } = {}) {
    const [host = '', port = ''] = address.split(':');
    this.#to = { host, port: Number(port) };
    this.#cut = cut;
    this.#server = createServer((client) => this.#forward(client));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  stop(): void {
    this.cutAll();
    this.#server.close();
  }

  #forward(client: Socket): void {
    const engine = connect(this.#to);
    let seen = 0;
    for (const socket of [client, engine]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        engine.destroy();
      });
    }
    client.pipe(engine);
    engine.on('data', (data) => {
      client.write(data.subarray(0, this.#cut - seen));
      seen += data.length;
      if (seen <= this.#cut) return;
      this.cuts += 1;
      engine.removeAllListeners('data');
      client.end(() => client.destroy());
    });
  }
}
