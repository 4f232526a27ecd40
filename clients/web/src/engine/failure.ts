// Errors of calls, with the contract's reasons.

import { type Reason, Refused, Unreachable } from '@heliopause/client';
import { t } from '../words';

/** A failed call, with a message for the player and a reason for code. */
export class Failure extends Error {
  readonly reason: Reason | 'UNREACHABLE' | 'CANCELED';
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether the same call may be retried with the same request id. */
  readonly isTransient: boolean;
  /** The delay before a retry, if the engine gives one. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    reason: Failure['reason'],
    metadata: Readonly<Record<string, string>> = {},
    from?: Refused,
  ) {
    super(message);
    this.reason = reason;
    this.metadata = metadata;
    this.isTransient = from?.retryable ?? reason === 'UNREACHABLE';
    this.retryAfter = from?.retryAfter;
  }

  /** The rule of the game that forbids the call; empty if there is none. */
  get rule(): string {
    return this.metadata['rule'] ?? '';
  }
}

export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof Unreachable) {
    return new Failure(t('page-no-answer'), 'UNREACHABLE', {}, thrown);
  }
  if (thrown instanceof Refused) {
    return new Failure(thrown.message, thrown.reason, thrown.metadata, thrown);
  }
  if (thrown instanceof DOMException && thrown.name === 'AbortError') {
    return new Failure(t('page-request-canceled'), 'CANCELED');
  }
  if (thrown instanceof TypeError) return new Failure(thrown.message, 'INVALID_FIELD');
  return new Failure(t('page-no-answer'), 'UNREACHABLE');
}
