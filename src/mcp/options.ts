import type { SvcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { CallEvent } from "../credentials/audit-event.ts";
import type { Engine } from "../engine/api/engine.ts";
import type { Reranker } from "../engine/api/search.ts";
import type { Principal } from "../sources/principal.ts";
import type { Tool } from "../tools/tool.ts";
import type { Incoming, JsonObject } from "./message.ts";

/** Sends hits of one listener's monitors, from its creation until `stop`. */
export interface HitListener {
  /** Sets the last authenticated caller. */
  readonly setPrincipal: (principal: Principal) => void;
  readonly stop: () => void;
}

export interface ServerOptions {
  /**
   * In the order of `tools/list`. A function is called for the first authenticated caller, so that `initialize` does not
   * wait for the schemas of the tools.
   */
  readonly tools: readonly Tool[] | (() => Promise<readonly Tool[]>);
  readonly version: string;
  /** For `initialize` and `server/discover`; a promise is awaited before these are answered. */
  readonly instructions: string | (() => string | Promise<string>);
  readonly engine: () => Promise<Engine>;
  /**
   * Verifies the credential on every call except `initialize`, `server/discover` and `ping`, given the method. Throws
   * SvcError (UNAUTHENTICATED, TOKEN_EXPIRED, CREDENTIAL_REVOKED ...).
   */
  readonly authorize: (method?: string) => Promise<Principal>;
  /**
   * True over stdio, where the caller's model works for the owner of the machine: `tools/list` needs no valid
   * credential, and a refused call is a result that gives the reason. Over HTTP the status is 401 instead.
   */
  readonly explainsRefusals?: boolean;
  /**
   * A line for the model and its user at the end of each answer, after the caller was authenticated; undefined for none.
   * The client also gets it once a session, as a log message.
   */
  readonly note?: () => string | undefined;
  /** Verifies it between calls, without marking it as used; `authorize` by default. Throws the same errors. */
  readonly recheck?: (() => Promise<Principal>) | undefined;
  /** Reranker of the caller's provider. */
  readonly reranker?: Reranker | undefined;
  readonly logger: Logger;
  /** Called for every tools/call, with any outcome, after its answer was sent. Never throws. */
  readonly audit?: ((call: CallEvent) => void) | undefined;
  /**
   * Checks the rights of the caller between calls, and calls `onVerified` when they may have changed. Returns a function
   * that stops this. Without it, a change is noticed on the next call.
   */
  readonly watchRights?: ((onVerified: (principal: Principal) => void) => () => void) | undefined;
  /** Sends hits of monitors to a listener; by default those that the engine finds. */
  readonly listenForHits?: (notify: (params: JsonObject) => void) => HitListener;
  /** Called before a subscription is acknowledged; throws when there are too many. */
  readonly reserveSubscription?: (principal: Principal) => void;
  /** The transport's objection to a message; undefined for none. */
  readonly problemWith?: (message: Incoming) => SvcError | undefined;
  /** Maximum time from the arrival of a request to its answer; 30,000 by default (interface, section 8). */
  readonly timeoutMs?: number;
  /** Maximum concurrent requests; further ones wait, in order. 64 by default. */
  readonly maxInFlight?: number;
}

/** The result that `make` comes to with the instructions; at once, unless they have to be awaited. */
export function withInstructions(
  { instructions }: ServerOptions,
  make: (instructions: string) => JsonObject,
): JsonObject | Promise<JsonObject> {
  const text = typeof instructions === "string" ? instructions : instructions();
  return typeof text === "string" ? make(text) : text.then(make);
}
