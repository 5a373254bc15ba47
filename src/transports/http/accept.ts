import { SvcError } from "../../base/errors.ts";
import type { HttpExchange } from "./exchange.ts";

/** What a client takes for an answer. */
export interface AcceptedTypes {
  readonly json: boolean;
  /** Only where it says so: an answer becomes an event stream for nobody else. */
  readonly events: boolean;
}

/** A client that says nothing takes JSON, as one written for curl does (mcp.md, C10). */
export function acceptedTypes({ request }: HttpExchange): AcceptedTypes {
  const wanted = (request.headers.accept ?? "*/*")
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";"))
    // q=0 says that a type is not taken.
    .filter(([, ...parameters]) => !parameters.some((one) => /^\s*q=0(?:\.0*)?\s*$/.test(one)))
    .map(([type = ""]) => type.trim());
  return {
    json: ["*/*", "application/*", "application/json"].some((type) => wanted.includes(type)),
    events: wanted.includes("text/event-stream"),
  };
}

/** Throws NOT_ACCEPTABLE for a client that takes no JSON. */
export function requireJsonAccepted(exchange: HttpExchange): void {
  if (!acceptedTypes(exchange).json) throw notAcceptable("application/json");
}

export function notAcceptable(offered: string): SvcError {
  return new SvcError("NOT_ACCEPTABLE", `The answer is ${offered}.`, {
    hint: offered.includes("json") ? "Accept that, or send no Accept." : "Accept that.",
  });
}
