// Notifications of monitor hits, with sessions of both eras and a real index that another engine writes.
import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { memoryBackend, sharedMemory } from "../../src/backend/memory-backend.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { ServerOptions } from "../../src/mcp/options.ts";
import { Principal } from "../../src/sources/principal.ts";
import { createProject, request, type Project } from "../helpers/project.ts";
import {
  LOCAL,
  modernParams,
  openSession,
  recordingLogger,
  type SessionPeer,
  type Wire,
} from "../helpers/rpc.ts";
import { plant } from "../helpers/tree.ts";

const HITS = { "dev.svc/monitorHits": true };
const HITS_CAPABILITY = { "dev.svc/monitorHits": {} };
const TOOLS = { toolsListChanged: true };
const METHOD = "notifications/dev.svc/monitor_hits";
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
/** Each run is a thread, and some are slow while many workers run. */
const LONG_TIMEOUT = { timeout: 120_000 };
const POLL = { timeout: 60_000 };

interface Watched {
  readonly one: Project;
  /** Writes a file and indexes it with another engine on the same data. */
  readonly write: (path: string, text: string) => Promise<void>;
  readonly open: (options?: Partial<ServerOptions>) => SessionPeer;
}

/** A project with a monitor for lines that contain TODO. */
async function watched(): Promise<Watched> {
  const memory = sharedMemory();
  const one = createProject(
    { "a.ts": "export const a = 1;\n" },
    { backend: memoryBackend(memory), namespace: "project" },
  );
  onTestFinished(one.dispose);
  const other = createEngine({
    backend: memoryBackend(memory),
    dataDirectory: one.data,
    home: one.home,
    logger: recordingLogger().logger,
    workspace: () => one.root,
    namespace: "project",
  });
  onTestFinished(() => other.close());
  await one.engine.index(request());
  await one.tool("set_monitor", { action: "create", name: "todos", pattern: "TODO" });
  return {
    one,
    async write(path, text) {
      plant(one.root, { [path]: text });
      await other.index(request());
    },
    open(options = {}) {
      const peer = openSession({ engine: () => Promise.resolve(one.engine), ...options });
      onTestFinished(() => peer.session.close());
      return peer;
    },
  };
}

async function listen(peer: SessionPeer, notifications: object, id = "hits"): Promise<SessionPeer> {
  const params = modernParams({ notifications });
  void peer.exchange({ jsonrpc: "2.0", id, method: "subscriptions/listen", params });
  await expect.poll(() => peer.sent.length, POLL).toBe(1);
  return peer;
}

async function initialize(peer: SessionPeer, capabilities: object): Promise<SessionPeer> {
  const params = { protocolVersion: "2025-06-18", capabilities, clientInfo: { name: "test" } };
  await peer.request("initialize", params);
  await peer.exchange({ jsonrpc: "2.0", method: "notifications/initialized" });
  await peer.request("tools/list");
  return peer;
}

function hitsOf({ sent }: SessionPeer): readonly Wire["params"][] {
  return sent.filter(({ method }) => method === METHOD).map(({ params }) => params);
}

function hit(path: string, monitor = "todos"): object {
  return {
    namespace: "project",
    hits: [{ monitor, path, count: 1 }],
    since: expect.stringMatching(/^chg_/),
  };
}

function as(id: string, namespaces: "all" | readonly string[] = "all"): Principal {
  return new Principal({ id, namespaces, readOnly: false });
}

function refuse(): Promise<never> {
  return Promise.reject(new SvcError("CREDENTIAL_REVOKED", "It was revoked."));
}

const SECOND_ID = { _meta: { [SUBSCRIPTION]: "second" } };
const MARK = { _meta: { [SUBSCRIPTION]: "hits" } };

test(
  "are sent once to each listener of either era, and only to listeners",
  LONG_TIMEOUT,
  async () => {
    const { one, write, open } = await watched();
    const modern = await listen(open(), HITS);
    const both = await listen(open(), { ...TOOLS, ...HITS });
    const legacy = await initialize(open(), { experimental: HITS_CAPABILITY });
    expect([modern, both].map(({ sent }) => sent[0]?.params?.["notifications"])).toEqual([
      HITS,
      { ...TOOLS, ...HITS },
    ]);
    let queries = 0;
    const counted = {
      engine: () => {
        queries += 1;
        return Promise.resolve(one.engine);
      },
    };
    const deaf = await Promise.all([
      listen(open(counted), TOOLS),
      listen(open(counted), { ...TOOLS, "dev.svc/monitorHits": false }),
      initialize(open(counted), {}),
      initialize(open(counted), { experimental: { "dev.svc/monitorHits": true } }),
    ]);
    let askedByGone = 0;
    const gone = {
      engine: () => {
        askedByGone += 1;
        return Promise.resolve(one.engine);
      },
    };
    const cancelled = await listen(open(gone), HITS);
    await cancelled.exchange({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "hits" },
    });
    const ended = await listen(open(gone), HITS);
    await ended.session.endSubscriptions();
    const closed = await initialize(open(gone), { experimental: HITS_CAPABILITY });
    closed.session.close();
    const askedBefore = askedByGone;

    await write("b.ts", "// TODO: b\n");
    const listeners = [modern, both, legacy];
    await expect.poll(() => listeners.map((peer) => hitsOf(peer).length), POLL).toEqual([1, 1, 1]);
    const late = await listen(open(), HITS, "second");
    await write("c.ts", "// nothing to do\n");
    await write("d.ts", "// TODO: d\n");
    // The second hit comes after every poll that could have repeated the first.
    await expect.poll(() => listeners.map((peer) => hitsOf(peer).length), POLL).toEqual([2, 2, 2]);
    await expect.poll(() => hitsOf(late), POLL).toEqual([{ ...SECOND_ID, ...hit("d.ts") }]);
    expect(hitsOf(modern)).toEqual([
      { ...MARK, ...hit("b.ts") },
      { ...MARK, ...hit("d.ts") },
    ]);
    expect(hitsOf(both)).toEqual(hitsOf(modern));
    expect(hitsOf(legacy)).toEqual([hit("b.ts"), hit("d.ts")]);
    expect([...deaf, cancelled, ended, closed].flatMap(hitsOf)).toEqual([]);
    expect([queries, askedByGone]).toEqual([0, askedBefore]);

    const since = hitsOf(modern).at(-1)?.["since"];
    const { outcome } = await one.tool("list_changes", { since });
    expect(outcome.structured).toMatchObject({
      changes: [{ path: "d.ts", hits: [{ monitor: "todos" }] }],
    });
  },
);

test("are sent only to their owner, while its credential is valid", LONG_TIMEOUT, async () => {
  const { one, write, open } = await watched();
  const laptop = as("tok_1");
  await one.tool("set_monitor", { action: "create", name: "theirs", path: "**" }, laptop);
  let rechecked = 0;
  const owner = await listen(open(), HITS);
  const theirs = await listen(open({ authorize: async () => laptop }), HITS);
  const silent = await Promise.all([
    listen(open({ authorize: async () => as("tok_2") }), HITS),
    listen(open({ authorize: async () => as("local", ["docs"]) }), HITS),
    listen(open({ recheck: refuse }), HITS),
    listen(open({ recheck: async () => as("local", ["docs"]) }), HITS),
    listen(
      open({
        recheck: async () => {
          rechecked += 1;
          return as("tok_2");
        },
      }),
      HITS,
    ),
  ]);
  await write("b.ts", "// TODO: b\n");
  await expect.poll(() => hitsOf(owner).length + hitsOf(theirs).length, POLL).toBe(2);
  await write("c.ts", "// TODO: c\n");
  await expect.poll(() => hitsOf(owner).length + hitsOf(theirs).length, POLL).toBe(4);
  expect(hitsOf(owner)).toEqual(["b.ts", "c.ts"].map((path) => ({ ...MARK, ...hit(path) })));
  expect(hitsOf(theirs)).toEqual(
    ["b.ts", "c.ts"].map((path) => ({ ...MARK, ...hit(path, "theirs") })),
  );
  expect(silent.flatMap(hitsOf)).toEqual([]);
  expect(rechecked).toBe(1);
});

test(
  "reach an idle legacy client, whose rights are watched, until it repeats initialize without them",
  LONG_TIMEOUT,
  async () => {
    const { write, open } = await watched();
    const listening = await listen(open(), HITS);
    const watchers: ((caller: Principal) => void)[] = [];
    const peer = open({
      watchRights: (onVerified) => {
        watchers.push(onVerified);
        return () => {};
      },
    });
    await peer.request("initialize", { capabilities: { experimental: HITS_CAPABILITY } });
    expect(watchers).toHaveLength(0);
    await peer.exchange({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect(watchers).toHaveLength(1);
    watchers[0]?.(LOCAL);
    await write("b.ts", "// TODO: b\n");
    await expect.poll(() => hitsOf(peer), POLL).toEqual([hit("b.ts")]);
    await peer.request("initialize", {});
    await write("c.ts", "// TODO: c\n");
    await expect.poll(() => hitsOf(listening).length, POLL).toBe(2);
    expect(hitsOf(peer)).toHaveLength(1);
  },
);
