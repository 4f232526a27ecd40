// Decodes the details of an error: google.rpc messages with the reasons listed in errors.proto.
import protobuf from "protobufjs";

const { root } = protobuf.parse(
  `syntax = "proto3";
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message Any { string type_url = 1; bytes value = 2; }
  message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
  message RetryInfo { Duration retry_delay = 1; }
  message Duration { int64 seconds = 1; int32 nanos = 2; }`,
);
const [Status, ErrorInfo, RetryInfo] = ["Status", "ErrorInfo", "RetryInfo"].map((name) => root.lookupType(name));

// Returns the reason, and the milliseconds to wait before a retry. Both may be absent.
export function detailsOf(error) {
  const found = {};
  for (const bytes of error.metadata?.get("grpc-status-details-bin") ?? []) {
    for (const { typeUrl: type, value } of Status.toObject(Status.decode(bytes), { longs: Number }).details ?? []) {
      if (type.endsWith("/google.rpc.ErrorInfo")) found.reason = ErrorInfo.decode(value).reason;
      if (type.endsWith("/google.rpc.RetryInfo")) {
        const { seconds = 0, nanos = 0 } = RetryInfo.toObject(RetryInfo.decode(value), { longs: Number }).retryDelay ?? {};
        // Round up, so that a retry is never too early.
        found.wait = Math.ceil(seconds * 1000 + nanos / 1e6);
      }
    }
  }
  return found;
}
