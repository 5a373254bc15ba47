import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { remoteTools } from "../../src/remote/remote-tools.ts";
import { RemoteWorkspace } from "../../src/remote/remote-workspace.ts";
import { TOOL_LISTINGS } from "../../src/tools/tool-listings.ts";
import type { ToolContext, ToolResult } from "../../src/tools/tool.ts";
import { LOCAL } from "../helpers/rpc.ts";
import { NEVER, serveRemote } from "./serve-remote.ts";

const CONTEXT: ToolContext = {
  engine: () => Promise.reject(new Error("no tool of the server needs the engine of this machine")),
  principal: LOCAL,
  signal: NEVER,
  emit: () => {},
  progress: () => {},
};

async function callsTo(namespace: string | undefined) {
  const { client, server } = await serveRemote();
  const open = () => Promise.resolve(client);
  const workspace = new RemoteWorkspace(
    { server: server.url, namespace, repositories: () => [] },
    open,
  );
  const tools = remoteTools({ client: open, workspace, local: undefined });
  const call = (name: string, input: unknown): Promise<ToolResult> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return tool.call(input, CONTEXT);
  };
  return { tools, call };
}

test("the tools are those of this program, with the same descriptions", async () => {
  const { tools } = await callsTo(undefined);
  expect(tools.map(({ descriptor }) => descriptor)).toEqual(
    TOOL_LISTINGS.map(({ descriptor }) => descriptor),
  );
});

test("a call without a namespace gets that of the workspace, and one with a namespace keeps it", async () => {
  const { call } = await callsTo("project");
  expect(await call("outline", {})).toMatchObject({
    complete: { content: [{ text: expect.stringContaining("tides.md") }] },
  });
  const failure = await call("outline", { namespace: "other" }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SvcError);
  expect(failure).toMatchObject({ code: "NAMESPACE_NOT_FOUND" });
});

test("a source to index names its own namespace", async () => {
  const { call } = await callsTo("nowhere");
  // With the namespace of the workspace, the call would fail, because the server lacks that namespace.
  expect(await call("index_source", { source: "/nowhere/at/all" })).toMatchObject({
    complete: { isError: true, structuredContent: { error_code: "PATH_NOT_FOUND" } },
  });
});
