// What the handlers of methods may use.

import type { Principal } from "../sources/principal.ts";
import type { Tool } from "../tools/tool.ts";
import type { Era } from "./era.ts";
import type { JsonObject } from "./message.ts";
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
