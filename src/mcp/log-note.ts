// The log message that a client gets once a session (docs/decisions/0072-tokens-are-renewed.md).
import { logLevelOf, type EraRequest } from "./era.ts";
import type { Notification } from "./message.ts";

/** Levels of the protocol from `warning` down: a client that asked for one of them takes a warning. */
const LEVELS: readonly unknown[] = ["debug", "info", "notice", "warning"];

/**
 * The note as a warning. Undefined if the client may not get it now: a legacy client only after
 * `notifications/initialized`, a modern one only with a request that asks for warnings.
 */
export function noteMessage(
  note: string,
  { era, params }: Pick<EraRequest, "era" | "params">,
  { isInitialized }: { readonly isInitialized: boolean },
): Notification | undefined {
  const isWanted = era === "legacy" ? isInitialized : LEVELS.includes(logLevelOf(params));
  if (!isWanted) return undefined;
  return {
    jsonrpc: "2.0",
    method: "notifications/message",
    params: { level: "warning", logger: "svc", data: note },
  };
}
