// An account on an engine or on several engines that share games.

// The declarations use Symbol.dispose, which a project's target may lack.
/// <reference lib="esnext.disposable" preserve="true" />

import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import { type Client, createClient } from '@connectrpc/connect';
import {
  type GetServerInfoResponse,
  type Player,
  PlayerService,
} from '../gen/heliopause/v1/player_pb.js';
import { type Profile, ProfileService } from '../gen/heliopause/v1/profile_pb.js';
import { Calls, type ListenOptions, type Retry } from './calls.js';
import { Engines } from './engines.js';
import type { ConnectionOptions } from './transport/connection.js';

export interface ConnectOptions extends ConnectionOptions {
  /** The account's token. Without one, `register` creates an account. */
  token?: string | undefined;
  /** The timeout of one attempt in milliseconds. Default: 30,000. */
  timeout?: number;
  /** The limit in ms for all attempts of a call, which may be `Infinity`. Default: 60,000. */
  patience?: number;
  /** How long a stream may be disconnected, in ms, before it fails. Default: `Infinity`. */
  streamPatience?: number;
  onRetry?: Retry;
  /** Cancels all calls and streams when aborted. Workers return their leases first. */
  signal?: AbortSignal | undefined;
}

/**
 * Connects to an engine, or to several that share games. Addresses are "host:port",
 * "http://host:port" or "https://host", as a list or separated by commas. The default is the server
 * of the page in a browser, and HELIOPAUSE_ENGINE or 127.0.0.1:50051 in Node.js. The connection is
 * opened on the first call.
 */
export function connect(
  engines?: string | readonly string[],
  options: ConnectOptions = {},
): Engine {
  return new Engine(engines, options);
}

/**
 * An account on one of the given engines.
 *
 * Calls are retried where that is safe, with the same request id, until `patience` has elapsed.
 * Streams resume where they broke. Calls and streams that fail in the end throw `Refused`.
 */
export class Engine {
  /** The Connect transport of all calls. */
  readonly calls: Calls;
  readonly #clients = new Map<string, Client<DescService>>();

  constructor(engines: string | readonly string[] | undefined, options: ConnectOptions) {
    const {
      token,
      timeout = 30_000,
      patience = 60_000,
      streamPatience = Number.POSITIVE_INFINITY,
    } = options;
    const { onRetry = () => {}, signal, ...lines } = options;
    if (!(timeout > 0))
      throw new RangeError(`timeout: ${timeout} ms is too small; it must be greater than 0`);
    for (const [name, limit] of Object.entries({ patience, streamPatience }))
      if (!(limit >= 0))
        throw new RangeError(`${name}: ${limit} ms is too small; the minimum is 0`);
    this.calls = new Calls(new Engines(engines, lines), token, {
      timeout,
      patience,
      streamPatience,
      onRetry,
      signal,
    });
  }

  get token(): string | undefined {
    return this.calls.token;
  }

  set token(token: string | undefined) {
    this.calls.token = token;
  }

  /** The address of the engine in use. */
  get url(): string {
    return this.calls.engines.url;
  }

  /**
   * Creates an account and uses it for later calls. Store the `token`, which is not shown again.
   */
  async register(name: string, { invitation = '' } = {}): Promise<Player> {
    const answer = await this.client(PlayerService).register({ name, invitation });
    this.token = answer.token;
    if (!answer.player) throw new TypeError('the engine returned no player');
    return answer.player;
  }

  /** Signs in with a code of `signInCode`, valid once and for two minutes. Store the `token`. */
  async signIn(code: string, { name = '' } = {}): Promise<Player> {
    const { player, secret } = await this.client(PlayerService).signIn({ code, name });
    this.token = secret;
    if (!player) throw new TypeError('the engine returned no player');
    return player;
  }

  /**
   * Returns a code that signs another client in to this account. The code may be part of an
   * address.
   */
  async signInCode(): Promise<string> {
    return (await this.client(PlayerService).createSignInCode({})).code;
  }

  /** Returns public facts about the server: who may register or watch, and enabled features. */
  async serverInfo(): Promise<GetServerInfoResponse> {
    return this.client(PlayerService).getServerInfo({});
  }

  /** Returns the player of this account. */
  async me(): Promise<Player> {
    const { player } = await this.client(PlayerService).getMe({});
    if (!player) throw new TypeError('the engine returned no player');
    return player;
  }

  /** Returns the results and ratings of a player, by name or id; of this account by default. */
  async profile(player = ''): Promise<Profile> {
    const { profile } = await this.client(ProfileService).getProfile({ player });
    if (!profile) throw new TypeError('the engine returned no profile');
    return profile;
  }

  /** Returns a client of a service such as `GameService`, with retries where they are safe. */
  client<S extends DescService>(service: S): Client<S> {
    const known = this.#clients.get(service.typeName) ?? createClient(service, this.calls);
    this.#clients.set(service.typeName, known);
    return known as Client<S>;
  }

  /** Reads all pages of a list. */
  async *pages<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    signal?: AbortSignal,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    for (let pageToken = ''; ; ) {
      const asked = { ...request, ...(pageToken && { pageToken }) } as MessageInitShape<I>;
      const { message } = await this.calls.unary(method, signal, undefined, undefined, asked);
      yield message;
      pageToken = 'nextPageToken' in message ? String(message.nextPageToken) : '';
      if (!pageToken) return;
    }
  }

  /** Reads an endless stream. Sends the current request again after every break. */
  listen<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: () => MessageInitShape<I>,
    options?: ListenOptions,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    return this.calls.listen(method, request, options);
  }

  /** Retries all waiting calls immediately, for example once the network is back. */
  retryNow(): void {
    this.calls.retryNow();
  }

  close(): void {
    this.calls.engines.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

export async function collect<T>(
  source: AsyncIterable<T>,
  most = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const found: T[] = [];
  if (most > 0) {
    for await (const one of source) {
      found.push(one);
      if (found.length >= most) break;
    }
  }
  return found;
}
