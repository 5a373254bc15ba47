// Monitor hits on event streams.
import { expect, test } from "vitest";

import { request } from "../../helpers/project.ts";
import { plant } from "../../helpers/tree.ts";
import { eventsIn, getText, modernText } from "./listeners.ts";
import { memoryAccess } from "./memory-access.ts";
import { open } from "./serve.ts";
import { callTool, serveProject, TOKEN } from "./serve-project.ts";

const METHOD = "notifications/dev.svc/monitor_hits";
const META = { "io.modelcontextprotocol/subscriptionId": "listen:0" };
const FILTER = { toolsListChanged: true, "dev.svc/monitorHits": true };
/** Each run is a thread, and some are slow while many workers run. */
const LONG_TIMEOUT = { timeout: 120_000 };

test(
  "arrive on the stream of a subscription that requests them, until its token is revoked",
  LONG_TIMEOUT,
  async () => {
    const token = { id: "token_1", kind: "token", namespaces: "all", secret: TOKEN } as const;
    const { authenticateAs, rights, change } = await memoryAccess([token], 5);
    const served = await serveProject(
      { "a.ts": "export const a = 1;\n" },
      { rights, authenticate: authenticateAs },
    );
    const server = { ...served, audited: [] };
    const { engine, root } = served.project;
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const [post, get] = [open(server), open(server)];
    await callTool(served, "set_monitor", { action: "create", name: "todos", pattern: "TODO" });
    const params = { notifications: FILTER };
    post.send(modernText(server, "subscriptions/listen", { params, id: "listen:0", headers }));
    get.send(getText(server, headers));
    await post.until(/acknowledged/);
    await get.until(/\n:\n\n/);
    plant(root, { "b.ts": "// TODO: b\n" });
    await engine.index(request());
    const [acknowledged, ...events] = eventsIn(await post.until(/monitor_hits.*\n\n/));
    expect(acknowledged?.params).toEqual({ _meta: META, notifications: FILTER });
    expect(events).toEqual([
      {
        jsonrpc: "2.0",
        method: METHOD,
        params: {
          _meta: META,
          namespace: "project",
          hits: [{ monitor: "todos", path: "b.ts", count: 1 }],
          since: expect.stringMatching(/^chg_/),
        },
      },
    ]);
    await change(token.id, { revokedAt: 1 });
    plant(root, { "c.ts": "// TODO: c\n" });
    await engine.index(request());
    const [posted, got] = await Promise.all(
      [post, get].map((wire) => wire.until(/\r\n0\r\n\r\n$/)),
    );
    const methods = eventsIn(posted ?? "").map(({ method }) => method);
    expect(methods).toEqual(["notifications/subscriptions/acknowledged", METHOD, undefined]);
    // Before revision 2026-07-28 a client cannot request them over HTTP.
    expect(eventsIn(got ?? "")).toEqual([]);
  },
);
