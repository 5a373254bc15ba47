import type { SvcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { CallEvent } from "../credentials/audit-event.ts";
import type { Engine, Reranker } from "../engine/engine.ts";
import type { Principal } from "../sources/principal.ts";
import type { Tool } from "../tools/tool.ts";
import type { Incoming } from "./message.ts";

export interface ServerOptions {
  /**
   * In the order in which `tools/list` shows them. A function is called for the first caller who is
   * let in, so that `initialize` need not wait for the schemas of the tools.
   */
  readonly tools: readonly Tool[] | (() => Promise<readonly Tool[]>);
  readonly version: string;
  readonly instructions: string;
  readonly engine: () => Promise<Engine>;
  /**
   * Verifies the credential anew on every call but `initialize`, `server/discover` and `ping`. Throws SvcError
   * (UNAUTHENTICATED, TOKEN_EXPIRED, CREDENTIAL_REVOKED ...).
   */
  readonly authorize: () => Promise<Principal>;
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
