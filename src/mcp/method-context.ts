// The context of method handlers.

import type { Principal } from "../sources/principal.ts";
import type { Tool } from "../tools/tool.ts";
import type { Era } from "./era.ts";
import type { InFlightRequest } from "./in-flight-requests.ts";
import type { ServerOptions } from "./options.ts";

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
  readonly request: InFlightRequest;
}
