// The tools of a session. The descriptors of `tools/list` are generated, because building the schemas takes a third of
// the time until `tools/list` is answered. The tools themselves are loaded on the first call.
import { TOOL_LISTINGS } from "./tool-listings.ts";
import type { Tool, ToolListing } from "./tool.ts";

/** Every tool, in the order of `tools/list` (product decisions, section 6). */
export const tools: readonly Tool[] = TOOL_LISTINGS.map(toTool);

function toTool(listing: ToolListing): Tool {
  return {
    ...listing,
    call: async (input, context) => (await definitionOf(listing.name)).call(input, context),
  };
}

async function definitionOf(name: string): Promise<Tool> {
  const { definitions } = await import("./definitions.ts");
  const definition = definitions.find((one) => one.name === name);
  if (definition === undefined) throw new Error(`${name} is listed and not defined`);
  return definition;
}
