import { errorRow, rpcMessage, type SvcError } from "../base/errors.ts";
import { redactValues } from "../base/redact.ts";
import { content } from "./content.ts";
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

/** A failure about the question as a tool result; undefined when it is about the call. */
export function errorResult(error: SvcError): JsonObject | undefined {
  if (errorRow(error).asResult !== true) return undefined;
  const detail = detailOf(error);
  return {
    content: content([{ text: detail }], false),
    isError: true,
    structuredContent: { error_code: error.code, detail },
  };
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
