import { expect, onTestFinished, test } from "vitest";

import { ServerEvents } from "../../src/remote/server-events.ts";
import { request } from "../helpers/project.ts";
import { recordingLogger } from "../helpers/rpc.ts";
import { plant } from "../helpers/tree.ts";
import { memoryAccess } from "../transports/http/memory-access.ts";
import { TOKEN } from "../transports/http/serve-project.ts";
import { clientOf, NEVER, serveRemote, tokenOf } from "./serve-remote.ts";

const SLOW = 120_000;
const LONG_TIMEOUT = { timeout: 60_000 };

async function following() {
  const token = { id: "token_1", kind: "token", namespaces: "all", secret: TOKEN } as const;
  const { authenticateAs, rights, change } = await memoryAccess([token], 5);
  const { server } = await serveRemote({ rights, authenticate: authenticateAs });
  const client = clientOf(server.url, tokenOf(TOKEN), (method, params) =>
    events.receive(method, params),
  );
  const { logger } = recordingLogger();
  const events = new ServerEvents(() => Promise.resolve(client), logger);
  onTestFinished(() => events.close());
  const open = async (): Promise<number> => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(/^svc_event_streams (\d+)$/m.exec(text)?.[1]);
  };
  return { server, client, events, change, open };
}

test(
  "there is one subscription while there are listeners, and none without",
  async () => {
    const { events, open } = await following();
    const [one, other] = [events.onTools(() => {}), events.onTools(() => {})];
    await expect.poll(open, LONG_TIMEOUT).toBe(1);
    one();
    await expect.poll(open, LONG_TIMEOUT).toBe(1);
    other();
    await expect.poll(open, LONG_TIMEOUT).toBe(0);
    events.onTools(() => {});
    await expect.poll(open, LONG_TIMEOUT).toBe(1);
  },
  SLOW,
);

test(
  "a listener of hits that comes later gets them too, without what belongs to the subscription",
  async () => {
    const { events, open, client, server } = await following();
    const input = { action: "create", name: "ebb", pattern: "ebb" };
    await client.call("set_monitor", input, { signal: NEVER });
    let changes = 0;
    events.onTools(() => (changes += 1));
    await expect.poll(open, LONG_TIMEOUT).toBe(1);
    const hits: unknown[] = [];
    events.onHits((found) => hits.push(found));
    // The subscription is replaced by one with hits; each file is found by the one that is open then.
    let file = 0;
    await expect
      .poll(async () => {
        plant(server.project.root, { [`docs/ebb-${(file += 1)}.md`]: "# The ebb\n" });
        await server.project.engine.index(request());
        return hits.length;
      }, LONG_TIMEOUT)
      .toBeGreaterThan(0);
    expect(hits[0]).toMatchObject({
      namespace: "project",
      hits: expect.arrayContaining([expect.objectContaining({ monitor: "ebb" })]),
    });
    expect(hits[0]).not.toHaveProperty("_meta");
    expect(changes).toBe(0);
  },
  SLOW,
);

test(
  "after the end of a subscription it is opened again, and the listeners look again",
  async () => {
    const { events, open, change } = await following();
    let changes = 0;
    events.onTools(() => (changes += 1));
    await expect.poll(open, LONG_TIMEOUT).toBe(1);
    await change("token_1", { expiresAt: 1 });
    await expect.poll(open, LONG_TIMEOUT).toBe(0);
    await change("token_1", { expiresAt: Number.MAX_SAFE_INTEGER });
    await expect.poll(open, LONG_TIMEOUT).toBe(1);
    await expect.poll(() => changes, LONG_TIMEOUT).toBe(1);
  },
  SLOW,
);
