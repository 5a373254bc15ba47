import { expect, test } from "vitest";

import type { NamespaceStatus } from "../../../src/engine/api/status.ts";
import { createProject, request } from "../../helpers/project.ts";
import { LOCAL } from "../../helpers/rpc.ts";
import { RecentEvents } from "../../../src/transports/http/recent-events.ts";

async function statusOf(): Promise<NamespaceStatus> {
  const project = createProject({ "a.md": "# Tide\n" }, { namespace: "project" });
  try {
    await project.engine.index(request());
    const [status] = await project.engine.status({
      principal: LOCAL,
      detail: "summary",
      signal: new AbortController().signal,
    });
    if (status === undefined) throw new Error("the project is indexed");
    return status;
  } finally {
    await project.dispose();
  }
}

test("the newest 500 calls are kept", () => {
  const events = new RecentEvents();
  for (let at = 0; at < 502; at += 1) events.addCall({ at, ms: 1, tool: "outline", outcome: "ok" });
  expect(events.calls).toHaveLength(500);
  expect(events.calls[0]?.at).toBe(2);
});

test("a run is noted once, and each new generation again", async () => {
  const events = new RecentEvents();
  const status = await statusOf();
  const at = Date.parse(status.indexed_at ?? "");
  events.noteStatus([status]);
  events.noteStatus([status]);
  expect(events.runs).toEqual([{ at, namespace: "project", generation: status.generation }]);
  events.noteStatus([{ ...status, generation: status.generation + 1 }]);
  events.noteStatus([{ ...status, name: "empty", generation: 0, indexed_at: null }]);
  expect(events.runs.map(({ generation }) => generation)).toEqual([
    status.generation,
    status.generation + 1,
  ]);
});
