import { SvcError } from "../base/errors.ts";
import type { Caller } from "../sources/namespace.ts";
import type { Tool } from "../tools/tool.ts";
import type { JsonObject } from "./message.ts";
import type { CallerExchange } from "./methods.ts";

/** All tools the caller may call, on one page. Never opens the engine. */
export function listTools({ cursor }: JsonObject, exchange: CallerExchange): JsonObject {
  if (cursor !== undefined) {
    throw new SvcError("INVALID_CURSOR", "tools/list has a single page and issues no cursor.", {
      hint: "Call it without one.",
    });
  }
  const { tools, caller, connection } = exchange;
  const callable = tools.filter((tool) => mayCall(caller, tool));
  connection.listedTools = callable.length;
  return { tools: callable.map(({ descriptor }) => descriptor) };
}

/**
 * Tells the client when its credential has gained or lost rights since the last `tools/list`, so
 * that another list holds now. That is what the declared `listChanged` means.
 */
export function announceChangedList({ tools, caller, connection, notify }: CallerExchange): void {
  const { isInitialized, listedTools } = connection;
  if (!isInitialized || listedTools === undefined) return;
  const callable = tools.filter((tool) => mayCall(caller, tool));
  if (callable.length === listedTools) return;
  delete connection.listedTools;
  notify("notifications/tools/list_changed", {});
}

export function mayCall(caller: Caller, tool: Tool): boolean {
  return tool.readOnly || !caller.readOnly;
}
