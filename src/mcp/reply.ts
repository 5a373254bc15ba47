import { SvcError } from "../base/errors.ts";
import { resultForEra, type EraRequest } from "./era.ts";
import { errorReply, errorResult, isInternalError } from "./errors.ts";
import { quotedText, replyId, type JsonObject, type Reply } from "./message.ts";
import type { Method } from "./methods.ts";
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

/** The reply to a failed request. Logs the cause of an internal error. */
export function failureReply(
  request: EraRequest,
  error: SvcError,
  { method, options }: { readonly method: Method | undefined; readonly options: ServerOptions },
): Reply {
  if (isInternalError(error)) {
    const { id, method: name } = request;
    options.logger.warn("request failed", { id, method: name, error: error.cause ?? error });
  }
  const isAboutTool = method?.access === "caller" && method.errorsAsResults === true;
  const result = isAboutTool ? errorResult(error) : undefined;
  return result === undefined
    ? errorReply(replyId(request), error)
    : successReply(request, result, options);
}

export function noSuchMethod({ method, era }: EraRequest): SvcError {
  const where = era === "modern" ? ` in version ${STATELESS_VERSIONS[0]}` : "";
  return new SvcError("METHOD_NOT_FOUND", `Unknown method ${quotedText(method)}${where}.`);
}
