import { errorRow, SvcError, toSvcError } from "../base/errors.ts";

/** Where `svc mcp` has its access token from: SERVICE_TOKEN, or the store, where `--save` put it. */
export type TokenOrigin = "environment" | "store";

const CREATE = "svc auth token create --name NAME";
const NEW_TOKEN = `set SERVICE_TOKEN to a new token from \`${CREATE}\`, or remove SERVICE_TOKEN and run \`${CREATE} --save\`. Then restart the server.`;

/**
 * The failure of an access token with the remedy that fits its origin: a saved token does not help while SERVICE_TOKEN
 * is set. What is not a failure of a token stays as it is.
 */
export function withTokenRemedy(thrown: unknown, origin: TokenOrigin): SvcError {
  const error = toSvcError(thrown);
  if (errorRow(error).http !== 401) return error;
  return new SvcError(error.code, error.message, { hint: remedyFor(error, origin), cause: thrown });
}

function remedyFor({ code, hint = "" }: SvcError, origin: TokenOrigin): string {
  if (code === "TOKEN_EXPIRED") {
    return origin === "store"
      ? "It is the token saved on this machine: run `svc auth token renew`. The next call works again."
      : `SERVICE_TOKEN holds it. ${hint} The next call works again, without a restart.`;
  }
  if (origin === "store") {
    return `It is the token saved on this machine: run \`${CREATE} --save\`. The next call uses the new token.`;
  }
  return code === "CREDENTIAL_MALFORMED"
    ? `SERVICE_TOKEN holds it: copy the token again as one word of 42 characters. If it is lost, ${NEW_TOKEN}`
    : `SERVICE_TOKEN holds it: ${NEW_TOKEN}`;
}
