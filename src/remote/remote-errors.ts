// Failures of a server as errors of this program, which the session then reports as its own.

import { ERRORS, SvcError, type ErrorCode } from "../base/errors.ts";

/** Where the token of a server came from: SERVICE_TOKEN, or `svc auth login`. */
export type TokenSource = "environment" | "login";

const REFUSALS: Readonly<Record<string, string>> = {
  TOKEN_EXPIRED: "has expired",
  CREDENTIAL_REVOKED: "was revoked",
};

/** `how` completes "The server https://… …". */
export function remoteError(server: string, how: string, cause?: unknown): SvcError {
  return new SvcError("REMOTE_UNAVAILABLE", `The server ${server} ${how}.`, {
    hint: "The next call tries again.",
    cause,
  });
}

/** The same failure with the remedy of a fetch, which continues where it was interrupted; other errors as they are. */
export function withFetchRemedy(error: SvcError): SvcError {
  if (error.code !== "REMOTE_UNAVAILABLE") return error;
  return new SvcError(error.code, error.message, {
    hint: "Run the command again to continue the fetch. Without --from-remote, svc indexes the files on this machine.",
    cause: error,
  });
}

/** The error of a JSON-RPC reply, with the code and the text that the server chose. */
export function errorOfReply(reply: { readonly code: number; readonly data?: unknown }): SvcError {
  const data = isObject(reply.data) ? reply.data : {};
  const { error_code: code, detail, ...more } = data;
  const text = typeof detail === "string" ? detail : "The server did not say why the call failed.";
  return new SvcError(codeOf(code, reply.code), text, { data: more });
}

/** The error of a response whose status is not 2xx. `body` is its text. */
export function errorOfStatus(
  server: string,
  status: number,
  body: string,
  token: TokenSource,
): SvcError {
  const error = errorIn(body);
  if (status === 401) return refusedToken(server, error, token);
  if (error !== undefined) return error;
  if (status >= 300 && status < 400) return remoteError(server, "answered with a redirect");
  return remoteError(server, `answered with the status ${status}`);
}

function refusedToken(server: string, error: SvcError | undefined, token: TokenSource): SvcError {
  const code = error?.code ?? "UNAUTHENTICATED";
  const how = REFUSALS[code];
  const detail =
    how === undefined
      ? `The server ${server} does not accept the access token.`
      : `The access token for ${server} ${how}.`;
  const remedy =
    token === "environment"
      ? "Set SERVICE_TOKEN to a token of that server"
      : `Save a token of that server with \`svc auth login ${server}\``;
  return new SvcError(code, detail, { hint: `${remedy}; the people who run it create one.` });
}

function errorIn(body: string): SvcError | undefined {
  let reply: unknown;
  try {
    reply = JSON.parse(body);
  } catch {
    return undefined;
  }
  const error = isObject(reply) ? reply["error"] : undefined;
  if (!isObject(error) || typeof error["code"] !== "number") return undefined;
  return errorOfReply({ code: error["code"], data: error["data"] });
}

/** A later version of svc may have more codes. */
function codeOf(code: unknown, rpc: number): ErrorCode {
  if (typeof code === "string" && isErrorCode(code)) return code;
  return rpc === ERRORS.INVALID_PARAMS.rpc ? "INVALID_PARAMS" : "INTERNAL_ERROR";
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
