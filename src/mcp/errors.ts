import { errorRow, rpcMessage, type SvcError } from "../base/errors.ts";
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
      data: { error_code: error.code, detail: error.detail },
    },
  };
}

/** A failure about the question as a tool result; undefined when it is about the call. */
export function errorResult(error: SvcError): JsonObject | undefined {
  if (errorRow(error).asResult !== true) return undefined;
  return {
    content: content([{ text: error.detail }], false),
    isError: true,
    structuredContent: { error_code: error.code, detail: error.detail },
  };
}
