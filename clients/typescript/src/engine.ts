// An account on an engine, or on several engines that share their games.

// The declarations name Symbol.dispose, which a project's own target may lack.
/// <reference lib="esnext.disposable" preserve="true" />

import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { type GetServerInfoResponse, type Player, PlayerService } from "../gen/heliopause/v1/player_pb.js";
import { Calls, type ListenOptions, type Retry } from "./calls.js";
import { Engines } from "./engines.js";
import type { LineOptions } from "./transport/line.js";

/** How to connect. */
export interface ConnectOptions extends LineOptions {
  /** The account's token; `register` opens a new account. */
  token?: string | undefined;
  /** How many milliseconds a call may take. Default: 30,000. */
  timeout?: number;
  /** How many milliseconds all attempts of a call may take together; `Infinity` is for ever. Default: 60,000. */
  patience?: number;
  /** How many milliseconds a stream may be lost before it fails. Default: `Infinity`. */
  streamPatience?: number;
  /** Is told whenever a call or a stream is tried again. */
  onRetry?: Retry;
  /** Ends all calls and streams when it is aborted: calls throw its reason. A worker still returns its leases. */
  signal?: AbortSignal | undefined;
}

/**
 * Names the engine, or several that share their games: "host:port", "http://host:port" or "https://host", as a list or with commas
 * between them. Without any a browser takes the one that served the page; Node.js that of the environment's HELIOPAUSE_ENGINE,
 * else 127.0.0.1:50051. It connects when the first call is made.
 */
export function connect(engines?: string | readonly string[], options: ConnectOptions = {}): Engine {
  return new Engine(engines, options);
}

/**
 * An account on an engine, or on several of which one that serves is in use.
 *
 * Calls that may be made again are made again, with the same request id, as long as the patience lasts, and streams go on where
 * they were. Whatever fails in the end throws `Refused`.
 */
export class Engine {
  /** What all calls go through: a transport of Connect. */
  readonly calls: Calls;
  readonly #clients = new Map<string, Client<DescService>>();

  constructor(engines: string | readonly string[] | undefined, options: ConnectOptions) {
    const { token, timeout = 30_000, patience = 60_000, streamPatience = Number.POSITIVE_INFINITY } = options;
    const { onRetry = () => {}, signal, ...lines } = options;
    if (!(timeout > 0 && patience >= 0 && streamPatience >= 0))
      throw new RangeError("a timeout must be more than 0, and a patience not less");
    this.calls = new Calls(new Engines(engines, lines), token, { timeout, patience, streamPatience, onRetry, signal });
  }

  /** The account's token. */
  get token(): string | undefined {
    return this.calls.token;
  }

  set token(token: string | undefined) {
    this.calls.token = token;
  }

  /** The address of the engine that is in use. */
  get url(): string {
    return this.calls.engines.url;
  }

  /** Opens an account, which this engine's calls are of from now on. Keep its `token`: it is not shown again. */
  async register(name: string, { invitation = "" } = {}): Promise<Player> {
    const answer = await this.client(PlayerService).register({ name, invitation });
    this.token = answer.token;
    if (!answer.player) throw new TypeError("the engine answered no player");
    return answer.player;
  }

  /** Signs in by a code that `signInCode` made elsewhere: it holds once and for two minutes. Keep the `token` then. */
  async signIn(code: string, { name = "" } = {}): Promise<Player> {
    const { player, secret } = await this.client(PlayerService).signIn({ code, name });
    this.token = secret;
    if (!player) throw new TypeError("the engine answered no player");
    return player;
  }

  /** Makes a code that signs another client in to this account. It may stand in an address. */
  async signInCode(): Promise<string> {
    return (await this.client(PlayerService).createSignInCode({})).code;
  }

  /** What to know before there is an account: who may open one, who may watch, what the operator has turned on. */
  async serverInfo(): Promise<GetServerInfoResponse> {
    return this.client(PlayerService).getServerInfo({});
  }

  /** Who this account is. */
  async me(): Promise<Player> {
    const { player } = await this.client(PlayerService).getMe({});
    if (!player) throw new TypeError("the engine answered no player");
    return player;
  }

  /** A client of any service of the contract, such as `GameService`. Its calls are repeated where that is safe. */
  client<S extends DescService>(service: S): Client<S> {
    const known = this.#clients.get(service.typeName) ?? createClient(service, this.calls);
    this.#clients.set(service.typeName, known);
    return known as Client<S>;
  }

  /** All pages of a list. */
  async *pages<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    signal?: AbortSignal,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    for (let pageToken = ""; ; ) {
      const asked = { ...request, ...(pageToken && { pageToken }) } as MessageInitShape<I>;
      const { message } = await this.calls.unary(method, signal, undefined, undefined, asked);
      yield message;
      pageToken = "nextPageToken" in message ? String(message.nextPageToken) : "";
      if (!pageToken) return;
    }
  }

  /** Reads a stream that never ends. After every break it is opened again, with the request as it is then. */
  listen<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: () => MessageInitShape<I>,
    options?: ListenOptions,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    return this.calls.listen(method, request, options);
  }

  /** Tries at once whatever waits to be tried again, as when the network is back. */
  hurry(): void {
    this.calls.hurry();
  }

  /** Closes all connections. */
  close(): void {
    this.calls.engines.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** All that a generator gives, or the first of it. */
export async function collect<T>(source: AsyncIterable<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> {
  const found: T[] = [];
  if (most > 0) {
    for await (const one of source) {
      found.push(one);
      if (found.length >= most) break;
    }
  }
  return found;
}
