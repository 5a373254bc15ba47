import { errorRow, rpcMessage, type SvcError } from "../base/errors.ts";
import { redactValues } from "../base/redact.ts";
import type { Id, JsonObject, Reply } from "./message.ts";

/** The only place that creates a JSON-RPC error, always with all five parts (interface, 2.5, 7). */
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

/** Returns a failed call as a tool result, which the client passes to its model: the text is reason and remedy. */
export function errorResult(error: SvcError): JsonObject {
  const detail = detailOf(error);
  return {
    // Without the members of `_meta`: some clients hand their models all of a failed result.
    content: [{ type: "text", text: detail, partial: false }],
    isError: true,
    structuredContent: { error_code: error.code, detail },
  };
}

/** True for a missing or insufficient credential. */
export function isRefusal(error: SvcError): boolean {
  const { http } = errorRow(error);
  return http === 401 || http === 403;
}

/** Errors whose cause is logged and not sent to the caller. */
export function isInternalError(error: SvcError): boolean {
  if (error.code === "INTERNAL_ERROR") return true;
  return errorRow(error).rpc === -32603 && error.cause !== undefined;
}

/** Masks secrets: errors quote bad input, which may contain a misplaced secret, and clients log errors. */
function detailOf({ detail }: SvcError): string {
  return redactValues(detail);
}
