import { describe, expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { localOwner, type Principal } from "../../src/sources/principal.ts";
import {
  fixtureTool,
  MODERN_RESULT_META,
  modernParams,
  openSession,
  type SessionPeer,
  type Wire,
} from "../helpers/rpc.ts";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const TOOLS = { toolsListChanged: true };

const read = fixtureTool("read", async () => ({}));
const write = fixtureTool("write", async () => ({}), { readOnly: false });

/** A session with two tools whose caller loses and gains the right to write. */
function changing(): SessionPeer & { readonly setReadOnly: (value: boolean) => void } {
  let readOnly = false;
  const peer = openSession({
    tools: [read, write],
    authorize: async () => localOwner({ readOnly }),
  });
  return { ...peer, setReadOnly: (value) => void (readOnly = value) };
}

function listen(id: string | number, notifications: unknown = TOOLS): object {
  const params = modernParams({ notifications });
  return { jsonrpc: "2.0", id, method: "subscriptions/listen", params };
}

function cancel(requestId: string | number): object {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}

function acknowledged(id: string | number, notifications: object = TOOLS): object {
  return {
    jsonrpc: "2.0",
    method: "notifications/subscriptions/acknowledged",
    params: { _meta: { [SUBSCRIPTION]: id }, notifications },
  };
}

function changed(id: string | number): object {
  return {
    jsonrpc: "2.0",
    method: "notifications/tools/list_changed",
    params: { _meta: { [SUBSCRIPTION]: id } },
  };
}

function ended(id: string | number): object {
  return {
    jsonrpc: "2.0",
    id,
    result: { resultType: "complete", _meta: { [SUBSCRIPTION]: id, ...MODERN_RESULT_META } },
  };
}

/** Starts a request that is not answered yet, and waits until it has progressed as far as it can. */
async function start({ exchange }: SessionPeer, ...messages: readonly object[]): Promise<void> {
  for (const message of messages) void exchange(message);
  await new Promise(setImmediate);
}

function outcome({ id, error }: Wire): string {
  return `${JSON.stringify(id)} ${error === undefined ? "ok" : error.data.error_code}`;
}

describe("M6 subscriptions/listen", () => {
  test("is acknowledged first, with its id and the honoured part of the filter", async () => {
    const peer = changing();
    const all = {
      ...TOOLS,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ["file:///a"],
    };
    await start(peer, listen("listen:0", all));
    expect(peer.sent).toEqual([acknowledged("listen:0")]);
  });

  test("delivers list_changed, tagged, when the rights of the caller change, once each time", async () => {
    const peer = changing();
    await start(peer, listen("listen:0"));
    const call = (): Promise<Wire> => peer.request("tools/call", modernParams({ name: "read" }));
    await call();
    peer.setReadOnly(true);
    await call();
    await call();
    peer.setReadOnly(false);
    await peer.request("tools/list", modernParams());
    expect(peer.sent.filter(({ id }) => id === undefined)).toEqual([
      acknowledged("listen:0"),
      changed("listen:0"),
      changed("listen:0"),
    ]);
  });

  test("is notified of a change that a legacy request revealed", async () => {
    const peer = changing();
    await start(peer, listen(1));
    peer.setReadOnly(true);
    await peer.request("tools/call", { name: "read" });
    expect(peer.sent).toContainEqual(changed(1));
  });

  test("notifies each of several subscriptions with its own id", async () => {
    const peer = changing();
    await start(peer, listen("a"), listen(0));
    peer.setReadOnly(true);
    await peer.request("tools/list", modernParams());
    expect(peer.sent.filter(({ id }) => id === undefined)).toEqual([
      acknowledged("a"),
      acknowledged(0),
      changed("a"),
      changed(0),
    ]);
  });

  test.each([{}, { toolsListChanged: false }, { promptsListChanged: true }, { other: true }])(
    "with the filter %j is open and gets no news of tools",
    async (filter) => {
      const peer = changing();
      await start(peer, listen("quiet", filter));
      peer.setReadOnly(true);
      await peer.request("tools/list", modernParams(), "list");
      await peer.session.endSubscriptions();
      expect(peer.sent).toMatchObject([acknowledged("quiet", {}), { id: "list" }, ended("quiet")]);
    },
  );

  test("ends without a reply when it is cancelled, and its id is free", async () => {
    const peer = changing();
    await start(peer, listen("listen:0"));
    await peer.exchange(cancel("listen:0"));
    peer.setReadOnly(true);
    await peer.request("tools/list", modernParams(), "list");
    await start(peer, listen("listen:0"));
    expect(peer.sent).toMatchObject([
      acknowledged("listen:0"),
      { id: "list" },
      acknowledged("listen:0"),
    ]);
  });

  test("keeps its id while it is open", async () => {
    const peer = changing();
    await start(peer, listen(7));
    const answers = await peer.exchange(listen(7));
    expect(answers.map(outcome)).toEqual(["7 DUPLICATE_ID"]);
  });

  test("is answered with its result when the server ends, also when it is opened later", async () => {
    const peer = changing();
    await start(peer, listen("first"));
    await peer.session.endSubscriptions();
    expect(peer.sent).toEqual([acknowledged("first"), ended("first")]);
    expect(await peer.exchange(listen("late"))).toEqual([acknowledged("late"), ended("late")]);
  });

  test("sends nothing when the connection is closed", async () => {
    const peer = changing();
    await start(peer, listen("first"));
    peer.session.close();
    await peer.session.endSubscriptions();
    expect(peer.sent).toEqual([acknowledged("first")]);
  });

  test("holds none of the slots, and outlives the time limit of calls", async () => {
    const slow = fixtureTool("slow", () => new Promise(() => {}));
    const peer = openSession({ tools: [read, slow], maxInFlight: 1, timeoutMs: 40 });
    await start(peer, listen("a"), listen("b"));
    expect(outcome(await peer.request("tools/call", { name: "read" }, "read"))).toBe('"read" ok');
    // A call that times out has waited as long as the subscriptions would have.
    expect(outcome(await peer.request("tools/call", { name: "slow" }, "slow"))).toBe(
      '"slow" TIMEOUT',
    );
    await peer.session.endSubscriptions();
    expect(peer.sent.slice(-2)).toEqual([ended("a"), ended("b")]);
  });

  test("is UNAUTHENTICATED without a credential, and not acknowledged", async () => {
    const { exchange } = openSession({
      authorize: () => Promise.reject(new SvcError("UNAUTHENTICATED", "No credential.")),
    });
    const answers = await exchange(listen("listen:0"));
    expect(answers.map(outcome)).toEqual(['"listen:0" UNAUTHENTICATED']);
  });

  test.each([
    undefined,
    null,
    [],
    "tools",
    { toolsListChanged: "yes" },
    { toolsListChanged: 1 },
    { toolsListChanged: null },
    { "dev.svc/monitorHits": {} },
  ])("with the filter %j is INVALID_PARAMS", async (filter) => {
    const { exchange } = openSession();
    const message = { ...listen(1), params: modernParams({ notifications: filter }) };
    expect((await exchange(message)).map(outcome)).toEqual(["1 INVALID_PARAMS"]);
  });

  test("without an id is a notification, and ignored", async () => {
    const { exchange } = openSession();
    const params = modernParams({ notifications: TOOLS });
    expect(await exchange({ jsonrpc: "2.0", method: "subscriptions/listen", params })).toEqual([]);
  });

  test("is refused when 64 are open, until one is cancelled", async () => {
    const peer = changing();
    await start(peer, ...Array.from({ length: 64 }, (_, id) => listen(id)));
    expect((await peer.exchange(listen("more"))).map(outcome)).toEqual(['"more" INVALID_REQUEST']);
    await peer.exchange(cancel(63));
    await start(peer, listen("more"));
    expect(peer.sent.at(-1)).toEqual(acknowledged("more"));
  });
});

/** The session, and functions to simulate its transport. */
function watched() {
  const watchers = new Set<(caller: Principal) => void>();
  const peer = openSession({
    tools: [read, write],
    watchRights: (onVerified) => {
      watchers.add(onVerified);
      return () => void watchers.delete(onVerified);
    },
  });
  const tell = (readOnly: boolean): void => {
    for (const onVerified of watchers) onVerified(localOwner({ readOnly }));
  };
  const noticed = () => peer.sent.filter(({ id }) => id === undefined);
  return { ...peer, watchers, tell, noticed };
}

describe("rights that change between calls", () => {
  test("are sent to each subscription, only when they differ", async () => {
    const peer = watched();
    await start(peer, listen("a"), listen("b"));
    expect(peer.watchers.size).toBe(1);
    peer.tell(false);
    peer.tell(true);
    peer.tell(true);
    expect(peer.noticed()).toEqual([
      acknowledged("a"),
      acknowledged("b"),
      changed("a"),
      changed("b"),
    ]);
    peer.session.close();
    expect(peer.watchers.size).toBe(0);
  });

  test("are sent to an initialized legacy client, once per list that it requested", async () => {
    const peer = watched();
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
    await peer.request("tools/list");
    expect(peer.watchers.size).toBe(0);
    await peer.exchange(initialized);
    peer.tell(true);
    peer.tell(false);
    const notice = { jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} };
    expect(peer.noticed()).toEqual([notice]);
    await peer.request("tools/list");
    peer.tell(true);
    expect(peer.noticed()).toEqual([notice, notice]);
  });

  test("are not watched before a client listens", async () => {
    const peer = watched();
    await peer.exchange({ jsonrpc: "2.0", method: "notifications/initialized" });
    await peer.request("tools/call", { name: "read" });
    await peer.request("tools/list", modernParams());
    expect(peer.watchers.size).toBe(0);
  });
});
