import { errorRow, SvcError } from "../base/errors.ts";
import { resultForEra, type EraRequest } from "./era.ts";
import { errorReply, errorResult, isInternalError, isRefusal } from "./errors.ts";
import { quotedText, replyId, type JsonObject, type Reply } from "./message.ts";
import { STATELESS_VERSIONS } from "./negotiate.ts";
import type { ServerOptions } from "./options.ts";

export function successReply(
  request: EraRequest,
  result: JsonObject,
  { version }: ServerOptions,
): Reply {
  const { era } = request;
  return { jsonrpc: "2.0", id: replyId(request), result: resultForEra(era, result, version) };
}

interface Failure {
  readonly options: ServerOptions;
  /** True if a tool was running: its name and the shape of the call were valid. */
  readonly isFromTool?: boolean;
}

/** The reply to a failed request. Logs the cause of an internal error. */
export function failureReply(
  request: EraRequest,
  error: SvcError,
  { options, isFromTool = false }: Failure,
): Reply {
  if (isInternalError(error)) {
    const { id, method: name } = request;
    options.logger.warn("request failed", { id, method: name, error: error.cause ?? error });
  }
  const isForModel =
    (isFromTool && errorRow(error).asResult === true) ||
    (options.explainsRefusals === true && request.method === "tools/call" && isRefusal(error));
  return isForModel
    ? successReply(request, errorResult(error), options)
    : errorReply(replyId(request), error);
}

export function noSuchMethod({ method, era }: EraRequest): SvcError {
  const where = era === "modern" ? ` in version ${STATELESS_VERSIONS[0]}` : "";
  return new SvcError("METHOD_NOT_FOUND", `Unknown method ${quotedText(method)}${where}.`);
}
