// A worker that answers every request with an order that no game knows.

import type { MessageInitShape } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { AutomationService, type WorkRequestSchema } from '@heliopause/client/contract';
import { createGrpcTransport } from '../../../typescript/node_modules/@connectrpc/connect-node/dist/esm/index.js';

type Request = MessageInitShape<typeof WorkRequestSchema>;

/** Works for an engine under one of its profiles until the returned function is called. */
export function brokenWorker(
  url: string,
  token: string,
  profile: { kind: string; profile: string; levels: string[] },
): () => void {
  const stopped = new AbortController();
  const transport = createGrpcTransport({ baseUrl: url });
  const unsent: Request[] = [
    {
      message: { case: 'hello', value: { worker: 'broken', profiles: [profile], capacity: 4 } },
    },
  ];
  let wake = (): void => undefined;
  async function* requests(): AsyncGenerator<Request> {
    for (;;) {
      const next = unsent.shift();
      if (next) yield next;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }
  const answers = createClient(AutomationService, transport).work(requests(), {
    headers: { authorization: `Bearer ${token}` },
    signal: stopped.signal,
  });
  const work = async (): Promise<void> => {
    for await (const { message } of answers) {
      const lease =
        message.case === 'lease' || (message.case === 'refused' && message.value.attemptsLeft > 0)
          ? message.value.lease
          : undefined;
      if (!lease) continue;
      const orders = { text: 'no such order' };
      unsent.push({ message: { case: 'answer', value: { lease, orders } } });
      wake();
    }
  };
  // The stream ends with the test or with its engine.
  void work().catch(() => undefined);
  return () => stopped.abort();
}
