import { SvcError } from "../base/errors.ts";

export type Id = string | number;
export type JsonObject = Readonly<Record<string, unknown>>;

export interface Call {
  readonly kind: "call";
  /** Absent from notifications, and from some calls in the interface. */
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** A JSON value as a JSON-RPC 2.0 message. */
export type Incoming =
  | Call
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: Id | null; readonly problem: SvcError };

interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data: JsonObject & { readonly error_code: string; readonly detail: string };
}

/** The id is `null` when the request has none or it could not be read. */
export type Reply =
  | { readonly jsonrpc: "2.0"; readonly id: Id | null; readonly result: JsonObject }
  | { readonly jsonrpc: "2.0"; readonly id: Id | null; readonly error: ErrorBody };

export interface Notification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: JsonObject;
}

export type OutgoingMessage = Reply | Notification | readonly Reply[];

/** Created once: the stack trace is most of the cost of a flood of bad messages. */
const PROBLEMS = {
  value: new SvcError("INVALID_REQUEST", "A message must be a JSON object."),
  jsonrpc: new SvcError("INVALID_REQUEST", 'A message must have "jsonrpc": "2.0".'),
  method: new SvcError("INVALID_REQUEST", "The method must be a string."),
  id: new SvcError("INVALID_REQUEST", "The id must be a string or an integer."),
};

/** Parses a message. Ignores unknown members, which JSON-RPC allows. */
export function readMessage(value: unknown): Incoming {
  if (!isObject(value)) return invalid(null, "value");
  const { jsonrpc, id, method, params } = value;
  const readableId = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return invalid(readableId, "jsonrpc");
  if (method === undefined && ("result" in value || "error" in value)) return { kind: "response" };
  if (typeof method !== "string") return invalid(readableId, "method");
  if (id === undefined || isId(id)) return { kind: "call", id, method, params };
  return invalid(null, "id");
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Refuses integers that a double cannot represent, because the reply would have another id. */
export function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Text from the client for an error message: quoted, up to 80 characters. */
export function quotedText(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

export function paramsOf({ params = {} }: Call): JsonObject {
  if (isObject(params)) return params;
  throw new SvcError("INVALID_PARAMS", "params must be an object.");
}

/** The id of a reply: null for a call without one. */
export function replyId({ id }: Call): Id | null {
  return id ?? null;
}

function invalid(id: Id | null, problem: keyof typeof PROBLEMS): Incoming {
  return { kind: "invalid", id, problem: PROBLEMS[problem] };
}
