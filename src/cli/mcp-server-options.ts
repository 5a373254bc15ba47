// The instructions and tools that every client gets, over stdio and over HTTP.
import type { Tool } from "../tools/tool.ts";

/** Sent to clients when they connect. */
export const INSTRUCTIONS =
  "svc answers questions about this workspace's code and documentation from a local index. Start with search_context (a question, symbol, error message or code), read more with read_context, list exact strings with search_text. Paths are relative to the source root; lines are 1-based.";

export async function offeredTools(isReadOnly: boolean): Promise<readonly Tool[]> {
  const { tools } = await import("../tools/registry.ts");
  return isReadOnly ? tools.filter(({ readOnly }) => readOnly) : tools;
}
