import type { Principal } from "../sources/principal.ts";
import { discover } from "./discover.ts";
import type { Era } from "./era.ts";
import { initialize } from "./initialize.ts";
import type { Id, JsonObject } from "./message.ts";
import type { ServerOptions } from "./options.ts";
import { listen, type Subscription, type Subscriptions } from "./subscriptions.ts";
import type { Tool } from "../tools/tool.ts";
import { callTool } from "./tools-call.ts";
import { listAllTools, listTools } from "./tools-list.ts";

/** What a connection remembers between messages of the legacy era; a modern request gets an empty one. */
export interface ConnectionState {
  /** Undefined before `initialize`. */
  version?: string;
  /** Set by the client's `notifications/initialized`: from then on it takes notifications. */
  isInitialized: boolean;
  /** Namespace of calls that name none; undefined before the first of them was answered. */
  ownNamespace?: string;
  /** Whether the client takes hits of monitors as notifications. */
  takesMonitorHits?: boolean;
  /** How many tools the last `tools/list` showed. */
  listedTools?: number;
}

/** What a handler may use. */
export interface MethodContext {
  readonly options: ServerOptions;
  readonly connection: ConnectionState;
  readonly era: Era;
}

/** What answers a caller whose credential is refused may use. */
export interface RefusedContext extends MethodContext {
  /** Every tool of the server, whether or not the caller may call it. */
  readonly tools: readonly Tool[];
}

export interface PrincipalContext extends RefusedContext {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** Time of `performance.now()` when a search answers with what it has. */
  readonly deadline: number;
  /** Told which namespace an answer came from. */
  readonly recordNamespace: (namespace: string) => void;
  /** Called when a tool begins: a failure from then on is about its arguments or its work. */
  readonly enterTool: () => void;
  /** Sends a notification of this request; nothing once it is answered or cancelled. */
  readonly notify: (method: string, params: JsonObject) => void;
}

export interface SubscriptionContext extends PrincipalContext {
  /** What the client calls this subscription. */
  readonly requestId: Id | null;
  readonly subscriptions: Subscriptions;
}

interface MethodTraits {
  /** The one era that has the method; both without. */
  readonly era?: Era;
  /** A call of the interface (4.3): answered with the id null when it comes without one. */
  readonly isDocumented: boolean;
}

/** Needs no credential, takes no time and so waits for nothing. */
interface OpenMethod extends MethodTraits {
  readonly access: "open";
  readonly handle: (
    params: JsonObject,
    exchange: MethodContext,
  ) => JsonObject | Promise<JsonObject>;
}

/** The session verifies the credential first: a handler cannot forget it. */
interface PrincipalMethod extends MethodTraits {
  readonly access: "caller";
  readonly handle: (
    params: JsonObject,
    exchange: PrincipalContext,
  ) => JsonObject | Promise<JsonObject>;
  /** Answers a caller whose credential is refused; only where the server explains refusals. */
  readonly handleRefused?: (params: JsonObject, exchange: RefusedContext) => JsonObject;
}

/** Verified as well, and answered when it ends: once acknowledged it has no slot and no time limit. */
interface SubscriptionMethod extends MethodTraits {
  readonly access: "listener";
  readonly handle: (params: JsonObject, exchange: SubscriptionContext) => Subscription;
}

export type Method = OpenMethod | PrincipalMethod | SubscriptionMethod;

/** Every request the server answers; anything else is METHOD_NOT_FOUND. */
const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["initialize", { era: "legacy", access: "open", isDocumented: true, handle: initialize }],
  ["ping", { era: "legacy", access: "open", isDocumented: false, handle: () => ({}) }],
  ["server/discover", { era: "modern", access: "open", isDocumented: false, handle: discover }],
  [
    "tools/list",
    { access: "caller", isDocumented: true, handle: listTools, handleRefused: listAllTools },
  ],
  ["tools/call", { access: "caller", isDocumented: true, handle: callTool }],
  [
    "subscriptions/listen",
    { era: "modern", access: "listener", isDocumented: false, handle: listen },
  ],
]);

/** Undefined for a method that the era does not have. */
export function methodOf(name: string, era: Era): Method | undefined {
  const method = METHODS.get(name);
  return method?.era === undefined || method.era === era ? method : undefined;
}
