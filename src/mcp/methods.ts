import type { Caller } from "../sources/namespace.ts";
import { initialize } from "./initialize.ts";
import type { JsonObject } from "./message.ts";
import type { ServerOptions } from "./options.ts";
import type { Tool } from "../tools/tool.ts";
import { callTool } from "./tools-call.ts";
import { listTools } from "./tools-list.ts";

/** What a connection remembers between messages. */
export interface Connection {
  /** Undefined before `initialize`. */
  version?: string;
  /** Set by the client's `notifications/initialized`: from then on it takes notifications. */
  isInitialized: boolean;
  /** How many tools the last `tools/list` showed. */
  listedTools?: number;
}

/** What a handler may use. */
export interface Exchange {
  readonly options: ServerOptions;
  readonly connection: Connection;
}

export interface CallerExchange extends Exchange {
  readonly caller: Caller;
  /** Every tool of the server, whether or not the caller may call it. */
  readonly tools: readonly Tool[];
  readonly signal: AbortSignal;
  /** Sends a notification of this request; nothing once it is answered or cancelled. */
  readonly notify: (method: string, params: JsonObject) => void;
}

interface MethodTraits {
  /** A call of the interface (4.3): answered with the id null when it comes without one. */
  readonly isDocumented: boolean;
}

/** Needs no credential, takes no time and so waits for nothing. */
interface OpenMethod extends MethodTraits {
  readonly access: "open";
  readonly handle: (params: JsonObject, exchange: Exchange) => JsonObject;
}

/** The session verifies the credential first: a handler cannot forget it. */
interface CallerMethod extends MethodTraits {
  readonly access: "caller";
  /** Failures about the question are results, see ERRORS. */
  readonly errorsAsResults?: true;
  readonly handle: (
    params: JsonObject,
    exchange: CallerExchange,
  ) => JsonObject | Promise<JsonObject>;
}

export type Method = OpenMethod | CallerMethod;

/** Every request the server answers; anything else is METHOD_NOT_FOUND. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["initialize", { access: "open", isDocumented: true, handle: initialize }],
  ["ping", { access: "open", isDocumented: false, handle: () => ({}) }],
  ["tools/list", { access: "caller", isDocumented: true, handle: listTools }],
  ["tools/call", { access: "caller", isDocumented: true, errorsAsResults: true, handle: callTool }],
]);
