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

/** State of a legacy connection between messages; a modern request gets an empty one. */
export interface ConnectionState {
  /** Undefined before `initialize`. */
  version?: string;
  /** True after the client's `notifications/initialized`: it accepts notifications from then on. */
  isInitialized: boolean;
  /** Namespace of calls that name none; undefined before the first such answer. */
  ownNamespace?: string;
  /** Whether the client accepts notifications of monitor hits. */
  takesMonitorHits?: boolean;
  /** Number of tools in the last `tools/list`. */
  listedTools?: number;
}

/** Everything that a handler may use. */
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
  /** Time of `performance.now()` at which a search returns a partial answer. */
  readonly deadline: number;
  /** Records the namespace of an answer. */
  readonly recordNamespace: (namespace: string) => void;
  /** Called when a tool starts: a later failure is about its arguments or its work. */
  readonly enterTool: () => void;
  /** Sends a notification of this request, unless it is answered or cancelled. */
  readonly notify: (method: string, params: JsonObject) => void;
}

export interface SubscriptionContext extends PrincipalContext {
  /** The client's id of this subscription. */
  readonly requestId: Id | null;
  readonly subscriptions: Subscriptions;
}

interface MethodTraits {
  /** The only era that has the method; both by default. */
  readonly era?: Era;
  /** A call of the interface (4.3): without an id, it gets a reply with the id null. */
  readonly isDocumented: boolean;
}

/** Needs no credential and no slot, and returns at once. */
interface OpenMethod extends MethodTraits {
  readonly access: "open";
  readonly handle: (
    params: JsonObject,
    exchange: MethodContext,
  ) => JsonObject | Promise<JsonObject>;
}

/** The session verifies the credential before it calls the handler. */
interface PrincipalMethod extends MethodTraits {
  readonly access: "caller";
  readonly handle: (
    params: JsonObject,
    exchange: PrincipalContext,
  ) => JsonObject | Promise<JsonObject>;
  /** Answers a caller whose credential is refused; only where the server explains refusals. */
  readonly handleRefused?: (params: JsonObject, exchange: RefusedContext) => JsonObject;
}

/** Also verified. Answered when it ends; once acknowledged, it has no slot and no time limit. */
interface SubscriptionMethod extends MethodTraits {
  readonly access: "listener";
  readonly handle: (params: JsonObject, exchange: SubscriptionContext) => Subscription;
}

export type Method = OpenMethod | PrincipalMethod | SubscriptionMethod;

/** All supported methods; others get METHOD_NOT_FOUND. */
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

/** Undefined when the era does not have the method. */
export function methodOf(name: string, era: Era): Method | undefined {
  const method = METHODS.get(name);
  return method?.era === undefined || method.era === era ? method : undefined;
}
