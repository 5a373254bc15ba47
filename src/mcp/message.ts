import { SvcError } from "../base/errors.ts";

export type Id = string | number;
export type JsonObject = Readonly<Record<string, unknown>>;

export interface Call {
  readonly kind: "call";
  /** Absent from notifications, and from some calls the interface shows. */
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** What one JSON value is in the terms of JSON-RPC 2.0. */
export type Incoming =
  | Call
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: Id | null; readonly problem: SvcError };

interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data: JsonObject & { readonly error_code: string; readonly detail: string };
}

/** A reply has the id `null` when the id of its request could not be read or was not given. */
export type Reply =
  | { readonly jsonrpc: "2.0"; readonly id: Id | null; readonly result: JsonObject }
  | { readonly jsonrpc: "2.0"; readonly id: Id | null; readonly error: ErrorBody };

export interface Notification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: JsonObject;
}

export type OutgoingMessage = Reply | Notification | readonly Reply[];

/** Made once: the stack of an error is most of what a flood of bad messages costs. */
const PROBLEMS = {
  value: new SvcError("INVALID_REQUEST", "A message is a JSON object."),
  jsonrpc: new SvcError("INVALID_REQUEST", 'A message has "jsonrpc": "2.0".'),
  method: new SvcError("INVALID_REQUEST", "The method is a string."),
  id: new SvcError("INVALID_REQUEST", "The id is a string or an integer."),
};

/** Unknown members are ignored, as JSON-RPC leaves room for them. */
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

/** An integer that a double cannot hold is refused: the reply would carry another id. */
export function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** A text of the client's as part of an error message: quoted, and never long. */
export function quotedText(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

export function paramsOf({ params = {} }: Call): JsonObject {
  if (isObject(params)) return params;
  throw new SvcError("INVALID_PARAMS", "params is an object.");
}

/** The id a reply carries: null for the calls the interface shows without one. */
export function replyId({ id }: Call): Id | null {
  return id ?? null;
}

function invalid(id: Id | null, problem: keyof typeof PROBLEMS): Incoming {
  return { kind: "invalid", id, problem: PROBLEMS[problem] };
}
