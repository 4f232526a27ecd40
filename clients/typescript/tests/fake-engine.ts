// A fake engine with scripted responses.

import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { DurationSchema } from '@bufbuild/protobuf/wkt';
import { type Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';

/** Serves `routes` during `test`, which receives the address. */
export async function withFakeEngine<T>(
  routes: (router: ConnectRouter) => void,
  test: (address: string) => Promise<T>,
): Promise<T> {
  const server: Http2Server = createServer(connectNodeAdapter({ routes }));
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await test(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    for (const session of sessions) session.destroy();
    server.close();
  }
}

/** Returns an error as the engine sends it, encoded by hand to be independent of the tested code. */
export function refusal(
  code: Code,
  reason: string,
  more: { metadata?: Record<string, string>; retryMs?: number; field?: string } = {},
): ConnectError {
  const error = new ConnectError(`because of ${reason}`, code);
  const metadata = Object.entries(more.metadata ?? {}).flatMap(([key, value]) =>
    field(3, [...field(1, bytes(key)), ...field(2, bytes(value))]),
  );
  const details = [
    {
      type: 'google.rpc.ErrorInfo',
      value: [...field(1, bytes(reason)), ...field(2, bytes('heliopause')), ...metadata],
    },
  ];
  if (more.retryMs !== undefined) {
    const delay = {
      seconds: BigInt(Math.floor(more.retryMs / 1000)),
      nanos: (more.retryMs % 1000) * 1e6,
    };
    details.push({ type: 'google.rpc.RetryInfo', value: field(1, encoded(DurationSchema, delay)) });
  }
  if (more.field)
    details.push({ type: 'google.rpc.BadRequest', value: field(1, field(1, bytes(more.field))) });
  error.details = details.map(({ type, value }) => ({ type, value: new Uint8Array(value) }));
  return error;
}

function encoded<D extends DescMessage>(schema: D, message: MessageInitShape<D>): number[] {
  return [...toBinary(schema, create(schema, message))];
}

function field(number: number, content: number[]): number[] {
  return [(number << 3) | 2, content.length, ...content];
}

function bytes(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}
