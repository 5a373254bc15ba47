import type { SvcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { CallEvent } from "../credentials/audit-event.ts";
import type { Engine, Reranker } from "../engine/engine.ts";
import type { Principal } from "../sources/principal.ts";
import type { Tool } from "../tools/tool.ts";
import type { Incoming, JsonObject } from "./message.ts";

export interface ServerOptions {
  /**
   * In the order in which `tools/list` shows them. A function is called for the first caller who is
   * let in, so that `initialize` need not wait for the schemas of the tools.
   */
  readonly tools: readonly Tool[] | (() => Promise<readonly Tool[]>);
  readonly version: string;
  /** For `initialize` and `server/discover`; a promise is awaited before these are answered. */
  readonly instructions: string | (() => string | Promise<string>);
  readonly engine: () => Promise<Engine>;
  /**
   * Verifies the credential anew on every call but `initialize`, `server/discover` and `ping`. Throws SvcError
   * (UNAUTHENTICATED, TOKEN_EXPIRED, CREDENTIAL_REVOKED ...).
   */
  readonly authorize: () => Promise<Principal>;
  /**
   * The caller's model reads along with the owner of the machine: `tools/list` is answered without a valid credential,
   * and a call that is refused is a result that says why. Over HTTP the status 401 says so instead.
   */
  readonly explainsRefusals?: boolean;
  /** Verifies it while nobody calls, which is no use of it; `authorize` by default. Throws as that does. */
  readonly recheck?: (() => Promise<Principal>) | undefined;
  /** Of the caller's own provider, for tools that rank. */
  readonly reranker?: Reranker | undefined;
  readonly logger: Logger;
  /** Told of every tools/call, however it ended, once its answer is on its way. Never throws. */
  readonly audit?: ((call: CallEvent) => void) | undefined;
  /**
   * Has the rights of the caller looked at while nobody calls, and told to `onVerified` whenever they may
   * be others, until what it returns is called. Without it they are noticed with the next call.
   */
  readonly watchRights?: ((onVerified: (principal: Principal) => void) => () => void) | undefined;
  /** Asked before a subscription is acknowledged; throws where there is no room for it. */
  readonly reserveSubscription?: (principal: Principal) => void;
  /** What is wrong with a message in the eyes of its transport. */
  readonly problemWith?: (message: Incoming) => SvcError | undefined;
  /** From the arrival of a request to its answer; 30,000 (interface, section 8). */
  readonly timeoutMs?: number;
  /** Requests that run at the same moment; further ones wait, in order. 64. */
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
