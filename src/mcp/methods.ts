import type { MethodContext, PrincipalContext, RefusedContext } from "./method-context.ts";
import { discover } from "./discover.ts";
import type { Era } from "./era.ts";
import { initialize } from "./initialize.ts";
import type { JsonObject } from "./message.ts";
import { listen, type Subscription, type SubscriptionContext } from "./subscriptions.ts";
import { callTool } from "./tools-call.ts";
import { listAllTools, listTools } from "./tools-list.ts";

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
