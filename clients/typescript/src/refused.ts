// Why a call failed, as errors.

import { create } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import type { ErrorReason } from "../gen/heliopause/v1/errors_pb.js";
import { type Verdict, VerdictSchema } from "../gen/heliopause/v1/game_pb.js";

/**
 * The word for a cause, as `errors.proto` lists them. It is empty if the engine gave none, as when the connection was lost; a
 * word that this version does not know is kept as it came.
 */
export type Reason = Exclude<keyof typeof ErrorReason, "UNSPECIFIED"> | "" | (string & {});

/** What else is known of a refusal. */
export interface RefusedDetails {
  code?: Code;
  reason?: Reason;
  metadata?: Record<string, string>;
  field?: string;
  retryAfter?: number | undefined;
  verdicts?: readonly Verdict[];
  cause?: unknown;
}

/** A call that failed. All failures of calls are of this class. */
export class Refused extends Error {
  override readonly name: string = "Refused";
  /** The gRPC status. */
  readonly code: Code;
  /** The word for the cause. */
  readonly reason: Reason;
  /** What else the engine says, as `errors.proto` lists it for each reason. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The field of the request that is at fault; may be empty. */
  readonly field: string;
  /** The number of the rule that decided; may be empty. */
  readonly rule: string;
  /** The word for what the rules forbid, as docs/refusals.md lists them; may be empty. */
  readonly refusal: string;
  /** After how many milliseconds the same call may be made again; absent if the engine does not say. */
  readonly retryAfter: number | undefined;
  /** The orders at fault, one verdict each. */
  readonly verdicts: readonly Verdict[];

  constructor(message: string, details: RefusedDetails = {}) {
    super(message, { cause: details.cause });
    this.code = details.code ?? Code.Unknown;
    this.reason = details.reason ?? "";
    this.metadata = details.metadata ?? {};
    this.field = details.field || (this.metadata["field"] ?? "");
    this.rule = this.metadata["rule"] ?? "";
    this.refusal = this.metadata["refusal"] ?? "";
    this.retryAfter = details.retryAfter;
    this.verdicts = details.verdicts ?? [];
  }

  /** Whether the same call may succeed later, with the same request id. */
  get mayRepeat(): boolean {
    return AGAIN.has(this.reason) || this.retryAfter !== undefined;
  }
}

/** No engine answered, or not in time. Whether the call was done is unknown. */
export class Unreachable extends Refused {
  override readonly name = "Unreachable";

  override get mayRepeat(): boolean {
    return true;
  }
}

const AGAIN: ReadonlySet<Reason> = new Set(["RATE_LIMITED", "OVERLOADED", "JOURNAL_UNAVAILABLE", "DRAINING", "LOST_RACE"]);

// The engine gives a reason for all that it refuses. Without one these come from a line that broke.
const LOST: ReadonlySet<Code> = new Set([
  Code.Aborted,
  Code.Canceled,
  Code.DeadlineExceeded,
  Code.Internal,
  Code.Unavailable,
  Code.Unknown,
  Code.DataLoss,
]);

/** Makes an error of this module from whatever a call threw. */
export function refusedBy(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const connect = ConnectError.from(error);
  const message = connect.rawMessage || Code[connect.code];
  const { reason, metadata, retryAfter, field } = detailsOf(connect);
  const details = { code: connect.code, reason, metadata, field, retryAfter, cause: error };
  if (reason === "ORDER_REFUSED") return new Refused(message, { ...details, verdicts: [verdictOf(message, metadata)] });
  return !reason && LOST.has(connect.code) ? new Unreachable(message, details) : new Refused(message, details);
}

function detailsOf(error: ConnectError) {
  try {
    const [info] = error.findDetails(ErrorInfoSchema);
    const [retry] = error.findDetails(RetryInfoSchema);
    const [bad] = error.findDetails(BadRequestSchema);
    return {
      reason: info?.reason ?? "",
      metadata: info?.metadata ?? {},
      // Rounded up: never too early.
      retryAfter: retry?.retryDelay && Math.ceil(durationMs(retry.retryDelay)),
      field: bad?.fieldViolations[0]?.field ?? "",
    };
  } catch {
    // Somebody between here and the engine wrote them. The status says enough.
    return { reason: "", metadata: {}, retryAfter: undefined, field: "" };
  }
}

function verdictOf(message: string, metadata: Record<string, string>): Verdict {
  const { refusal = "", rule = "", field = "" } = metadata;
  return create(VerdictSchema, { message, refusal, rule, field });
}
