import { SvcError } from "../../base/errors.ts";
import type { HttpExchange } from "./exchange.ts";

/** The media types that a client accepts. */
export interface AcceptedTypes {
  readonly json: boolean;
  /** True only if named explicitly: no other client gets an event stream. */
  readonly events: boolean;
}

/** A client without an Accept header gets JSON, like a script that uses curl (mcp.md, C10). */
export function acceptedTypes({ request }: HttpExchange): AcceptedTypes {
  const wanted = (request.headers.accept ?? "*/*")
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";"))
    // q=0 excludes a type.
    .filter(([, ...parameters]) => !parameters.some((one) => /^\s*q=0(?:\.0*)?\s*$/.test(one)))
    .map(([type = ""]) => type.trim());
  return {
    json: ["*/*", "application/*", "application/json"].some((type) => wanted.includes(type)),
    events: wanted.includes("text/event-stream"),
  };
}

/** Throws NOT_ACCEPTABLE when the client does not accept JSON. */
export function requireJsonAccepted(exchange: HttpExchange): void {
  if (!acceptedTypes(exchange).json) throw notAcceptable("application/json");
}

/** Returns the error for a client that does not accept the offered media types. */
export function notAcceptable(offered: string): SvcError {
  return new SvcError("NOT_ACCEPTABLE", `The response is ${offered}.`, {
    hint: offered.includes("json")
      ? "Accept that type, or send no Accept header."
      : "Accept that type.",
  });
}
