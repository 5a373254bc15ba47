// The tools of a server, as tools of this program: each call is sent there.

import { SvcError } from "../base/errors.ts";
import type { Principal } from "../sources/principal.ts";
import { TOOL_LISTINGS } from "../tools/tool-listings.ts";
import type { Tool, ToolContext, ToolResult } from "../tools/tool.ts";
import type { OpenClient } from "./remote-client.ts";
import type { RemoteWorkspace } from "./remote-workspace.ts";

type Input = Readonly<Record<string, unknown>>;

/** The tools of this machine, for a workspace that the server does not have. */
export interface LocalTools {
  readonly tools: () => Promise<readonly Tool[]>;
  /** Verifies the access token of this machine. */
  readonly authorize: () => Promise<Principal>;
}

interface RemoteToolsOptions {
  readonly client: OpenClient;
  readonly workspace: RemoteWorkspace;
  readonly local: LocalTools | undefined;
}

/** A call without a namespace is not about the workspace: the source names what to index. */
const OWN_NAMESPACE = new Set(["index_source"]);
/** Without a namespace it lists what the server has, which answers why a workspace is missing. */
const ALL_NAMESPACES = new Set(["index_status"]);

/** Returns all tools, in the order of `tools/list`. */
export function remoteTools(options: RemoteToolsOptions): readonly Tool[] {
  return TOOL_LISTINGS.map((listing) => ({
    ...listing,
    call: async (input, context) =>
      call(listing.name, isInput(input) ? input : {}, context, options),
  }));
}

async function call(
  name: string,
  input: Input,
  context: ToolContext,
  { client, workspace, local }: RemoteToolsOptions,
): Promise<ToolResult> {
  const { signal } = context;
  const isNamed = input["namespace"] !== undefined || OWN_NAMESPACE.has(name);
  const found = isNamed ? undefined : await workspace.find(signal);
  if (found?.kind === "missing" && !ALL_NAMESPACES.has(name)) {
    if (local === undefined) throw found.error;
    return callLocally(name, input, context, local);
  }
  const namespace = found?.kind === "found" ? { namespace: found.namespace } : {};
  try {
    const opened = await client();
    const result = await opened.call(
      name,
      { ...input, ...namespace },
      {
        signal,
        onProgress: ({ progress: done, total, message }) =>
          context.progress({
            done,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message }),
          }),
      },
    );
    return { complete: resultIn(result) };
  } catch (thrown) {
    const isGone = thrown instanceof SvcError && thrown.code === "NAMESPACE_NOT_FOUND";
    if (isGone && found !== undefined) workspace.forget();
    throw thrown;
  }
}

async function callLocally(
  name: string,
  input: Input,
  context: ToolContext,
  { tools, authorize }: LocalTools,
): Promise<ToolResult> {
  const principal = await authorize();
  const tool = (await tools()).find((one) => one.name === name);
  if (tool === undefined) throw new SvcError("TOOL_NOT_FOUND", `Unknown tool "${name}".`);
  if (!tool.readOnly && principal.readOnly) {
    throw new SvcError("FORBIDDEN", `${name} changes the index, and this token is read-only.`);
  }
  return tool.call(input, { ...context, signal: context.signal, principal });
}

/** The members that every revision of the protocol has: the session adds those of its client's revision. */
function resultIn({ content, structuredContent, isError }: Input): Input {
  return {
    content,
    ...(isError === undefined ? {} : { isError }),
    ...(structuredContent === undefined ? {} : { structuredContent }),
  };
}

function isInput(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
