import type { Principal } from "../sources/principal.ts";

/** Every request names its caller, and can be cancelled through the signal. */
export interface EngineRequest {
  readonly principal: Principal;
  /** Defaults to the workspace's. */
  readonly namespace?: string | undefined;
  readonly signal: AbortSignal;
  /** Time of `performance.now()` at which a search returns a partial answer; none by default. */
  readonly deadline?: number | undefined;
}
