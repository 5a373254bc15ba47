import { errorRow, rpcMessage, type SvcError } from "../base/errors.ts";
import { redactValues } from "../base/redact.ts";
import type { Id, JsonObject, Reply } from "./message.ts";

/** The only place that makes a JSON-RPC error: all five parts are always there (interface, 2.5, 7). */
export function errorReply(id: Id | null, error: SvcError): Reply {
  const code = errorRow(error).rpc;
  return {
    jsonrpc: "2.0",
    id,
    error: {
      code,
      message: rpcMessage(code),
      data: { error_code: error.code, detail: detailOf(error), ...error.data },
    },
  };
}

/** A failed call as a result, which the client hands to its model: reason and remedy are the text. */
export function errorResult(error: SvcError): JsonObject {
  const detail = detailOf(error);
  return {
    // Without the members of `_meta`: some clients hand their models all of a failed result.
    content: [{ type: "text", text: detail, partial: false }],
    isError: true,
    structuredContent: { error_code: error.code, detail },
  };
}

/** True when the caller may not do this, and is authorized to do nothing or something else. */
export function isRefusal(error: SvcError): boolean {
  const { http } = errorRow(error);
  return http === 401 || http === 403;
}

/** Failures whose cause the caller is not told: the log is the only place that says it. */
export function isInternalError(error: SvcError): boolean {
  if (error.code === "INTERNAL_ERROR") return true;
  return errorRow(error).rpc === -32603 && error.cause !== undefined;
}

/** Errors quote what they refuse, and secrets get pasted into the wrong place; clients keep errors in their logs. */
function detailOf({ detail }: SvcError): string {
  return redactValues(detail);
}
