import { SvcError } from "../base/errors.ts";
import type { Principal } from "../sources/principal.ts";
import type { Tool } from "../tools/tool.ts";
import { CACHE_HINTS } from "./era.ts";
import type { Notifier } from "./in-flight-requests.ts";
import type { JsonObject } from "./message.ts";
import type { PrincipalContext, RefusedContext } from "./method-context.ts";

/** All tools the caller may call, on one page. Never opens the engine. */
export function listTools(params: JsonObject, exchange: PrincipalContext): JsonObject {
  const { tools, principal } = exchange;
  return listing(params, exchange, callableTools(tools, principal));
}

/** All tools of the server: a caller without a valid credential sees what there is, and why no call is answered. */
export function listAllTools(params: JsonObject, exchange: RefusedContext): JsonObject {
  return listing(params, exchange, exchange.tools);
}

function listing(
  { cursor }: JsonObject,
  { connection, era }: RefusedContext,
  shown: readonly Tool[],
): JsonObject {
  if (cursor !== undefined) {
    throw new SvcError("INVALID_CURSOR", "tools/list has a single page and issues no cursor.", {
      hint: "Call it without a cursor.",
    });
  }
  connection.listedTools = shown.length;
  return {
    tools: shown.map(({ descriptor }) => descriptor),
    ...(era === "modern" ? CACHE_HINTS : {}),
  };
}

/**
 * Notifies a legacy client when its list of tools has changed since the last `tools/list`, because its credential gained
 * or lost rights. This is the declared `listChanged`; modern clients subscribe to it (subscriptions.ts).
 */
export function announceChangedList({
  tools,
  principal,
  connection,
  request,
}: Pick<PrincipalContext, "tools" | "principal" | "connection"> & {
  readonly request: Notifier;
}): void {
  const { isInitialized, listedTools } = connection;
  if (!isInitialized || listedTools === undefined) return;
  const callable = callableTools(tools, principal);
  if (callable.length === listedTools) return;
  delete connection.listedTools;
  request.notify("notifications/tools/list_changed", {});
}

/** The names of the callable tools, to compare two lists. */
export function callableNames(tools: readonly Tool[], principal: Principal): string {
  return callableTools(tools, principal)
    .map(({ name }) => name)
    .join();
}

function callableTools(tools: readonly Tool[], principal: Principal): readonly Tool[] {
  return tools.filter((tool) => canCall(principal, tool));
}

export function canCall(principal: Principal, tool: Tool): boolean {
  return tool.readOnly || !principal.readOnly;
}
