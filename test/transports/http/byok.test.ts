// Authentication by provider keys, on real sockets; the provider is a server as well.
import { expect, onTestFinished, test } from "vitest";

import type { CallEvent } from "../../../src/credentials/audit-event.ts";
import { Provider } from "../../../src/providers/provider.ts";
import { providerKeyPrincipal } from "../../../src/sources/principal.ts";
import type { Byok } from "../../../src/transports/http/byok.ts";
import { KEY as PROVIDER_KEY, startProvider } from "../../helpers/model-provider.ts";
import { fixtureTool } from "../../helpers/rpc.ts";
import { SECRETS } from "./memory-access.ts";
import {
  message,
  open,
  outcomeOf,
  requestText,
  serve,
  summary,
  TOKEN,
  type TestServer,
} from "./serve.ts";

const LIST = message("tools/list");
const OWN = TOKEN;

interface Scene {
  readonly server: TestServer;
  readonly provider: Awaited<ReturnType<typeof startProvider>>;
  readonly audited: readonly CallEvent[];
  /** Returns status and code of a request with these headers. */
  readonly ask: (headers: Readonly<Record<string, string>>, body?: string) => Promise<string>;
}

/** Starts a server that accepts OWN as a token and, by default, provider keys for the namespace "free". */
async function scene({ isForKeysAlone = true } = {}): Promise<Scene> {
  const provider = await startProvider();
  onTestFinished(() => provider.close());
  const dialled = new Provider({ url: provider.url });
  onTestFinished(() => dialled.close());
  const byok: Byok = {
    authenticate: isForKeysAlone
      ? async (key, { signal, requireAllowed }) => {
          await dialled.requireKey(key, signal, requireAllowed);
          return providerKeyPrincipal("free");
        }
      : undefined,
    rerankerFor: (key) => (request) => dialled.rerank(key, request),
  };
  const echo = fixtureTool("echo", async (_, { principal: holder, reranker, emit }) => {
    emit({ text: `${holder.id} ${reranker === undefined ? "alone" : "ranks"}` });
    return {};
  });
  const server = await serve([echo], { byok });
  return {
    server,
    provider,
    audited: server.audited,
    ask: (headers, body = LIST) => outcomeOf(server, { headers, body }),
  };
}

function bearer(secret: string): { readonly Authorization: string } {
  return { Authorization: `Bearer ${secret}` };
}

test("ten wrong keys of an address are checked, and no more", async () => {
  const { ask, provider, audited } = await scene();
  const outcomes: string[] = [];
  for (let at = 0; at < 14; at++) {
    // eslint-disable-next-line no-await-in-loop -- each is counted before the next one comes
    outcomes.push(await ask(bearer(`wrong-${at}`)));
  }
  expect(outcomes).toEqual([
    ...Array<string>(10).fill("401 UNAUTHENTICATED"),
    ...Array<string>(4).fill("429 RATE_LIMITED"),
  ]);
  // Ten keys and the made-up one.
  expect(provider.received).toHaveLength(11);
  expect(audited).toHaveLength(10);
  for (const one of audited) {
    expect(one).toMatchObject({ principal: null, outcome: "UNAUTHENTICATED", byok: true });
  }
  // A token passes at any time, another provider key has to wait.
  expect(await ask(bearer(OWN))).toBe("200 ok");
  expect(await ask(bearer(PROVIDER_KEY))).toBe("429 RATE_LIMITED");
});

test("a flood of wrong keys is checked only a few at a time", async () => {
  const { ask, provider } = await scene();
  const keys = Array.from({ length: 100 }, (_, at) => `wrong-${at}`);
  const outcomes = await Promise.all(keys.map((key) => ask(bearer(key))));
  expect(outcomes.filter((one) => one === "401 UNAUTHENTICATED")).toHaveLength(10);
  // On a very busy machine, some calls wait too long for their turn.
  const others = ["429 RATE_LIMITED", "503 OVERLOADED"];
  expect(outcomes.filter((one) => others.includes(one))).toHaveLength(90);
  expect(provider.received.length).toBeLessThanOrEqual(10 + 8 + 1);
});

test("a key that was checked before passes, even if others fail from its address", async () => {
  const { ask } = await scene();
  expect(await ask(bearer(PROVIDER_KEY))).toBe("200 ok");
  await Promise.all(Array.from({ length: 12 }, (_, at) => ask(bearer(`wrong-${at}`))));
  expect(await ask(bearer("wrong"))).toBe("429 RATE_LIMITED");
  expect(await ask(bearer(PROVIDER_KEY))).toBe("200 ok");
});

test("without a namespace for provider keys they authenticate nobody and are not forwarded", async () => {
  const { ask, provider } = await scene({ isForKeysAlone: false });
  expect(await ask(bearer(PROVIDER_KEY))).toBe("401 UNAUTHENTICATED");
  expect(await ask({ ...bearer(OWN), "X-Provider-Key": PROVIDER_KEY })).toBe("200 ok");
  expect(provider.received).toEqual([]);
});

test("the tool gets a reranker with the request's key, and none without a key", async () => {
  const { server, audited } = await scene();
  const said = async (headers: Readonly<Record<string, string>>): Promise<string | undefined> => {
    const wire = open(server);
    const body = message("tools/call", { name: "echo", arguments: {} });
    wire.send(requestText(server, { headers: { Connection: "close", ...headers }, body }));
    return /"text":"(?<text>[^"]*)"/.exec(await wire.closed())?.groups?.["text"];
  };
  expect(await said(bearer(OWN))).toBe("token_1 alone");
  expect(await said({ ...bearer(OWN), "X-Provider-Key": PROVIDER_KEY })).toBe("token_1 ranks");
  expect(await said(bearer(PROVIDER_KEY))).toBe("byok ranks");
  expect(audited.map(({ principal: who, byok }) => [who, byok])).toEqual([
    ["token_1", undefined],
    ["token_1", true],
    ["byok", true],
  ]);
});

test.each([
  ["empty", ""],
  ["of two words", "one two"],
  ["not ASCII", "schl\u{fc}ssel"],
  ["too long", "k".repeat(5000)],
])("a key with a token that is %s is refused", async (_what, key) => {
  const { ask, provider } = await scene();
  expect(await ask({ ...bearer(OWN), "X-Provider-Key": key })).toBe("400 INVALID_REQUEST");
  expect(provider.received).toEqual([]);
});

test("two keys in one request are refused, in any headers", async () => {
  const { server, ask, provider } = await scene();
  const both = { ...bearer(PROVIDER_KEY), "X-Provider-Key": PROVIDER_KEY };
  expect(await ask(both)).toBe("400 INVALID_REQUEST");
  // Each in the header of the other.
  expect(await ask({ ...bearer(PROVIDER_KEY), "X-Provider-Key": OWN })).toBe("400 INVALID_REQUEST");
  const wire = open(server);
  const headers = {
    ...bearer(OWN),
    "X-Provider-Key": `${PROVIDER_KEY}\r\nX-Provider-Key: other`,
    Connection: "close",
  };
  wire.send(requestText(server, { headers, body: LIST }));
  expect(summary(await wire.closed())).toBe("400 INVALID_REQUEST");
  expect(provider.received).toEqual([]);
});

test("a key without a token, or with a wrong token, is not checked", async () => {
  const { ask, provider } = await scene();
  const key = { "X-Provider-Key": PROVIDER_KEY };
  expect(await ask({ ...key, Authorization: "" })).toBe("401 UNAUTHENTICATED");
  expect(await ask({ ...key, ...bearer("svt_wrong") })).toBe("401 CREDENTIAL_MALFORMED");
  const unknown = bearer(SECRETS.otherToken);
  expect(await ask({ ...key, ...unknown })).toBe("401 UNAUTHENTICATED");
  expect(provider.received).toEqual([]);
});

test("a provider key is accepted on no other path", async () => {
  const { server, provider } = await scene();
  const answers = ["GET /metrics HTTP/1.1", "POST /v1/search HTTP/1.1"].map((line) =>
    outcomeOf(server, { line, headers: bearer(PROVIDER_KEY) }),
  );
  expect(await Promise.all(answers)).toEqual(Array(2).fill("401 UNAUTHENTICATED"));
  expect(provider.received).toEqual([]);
});

test("the Host and the Origin are checked before any key", async () => {
  const { ask, provider } = await scene();
  for (const evil of [{ Host: "evil.example.org" }, { Origin: "https://evil.example.org" }]) {
    // eslint-disable-next-line no-await-in-loop -- one refusal after the other
    expect(await ask({ ...bearer(PROVIDER_KEY), ...evil })).toBe("403 FORBIDDEN");
  }
  expect(provider.received).toEqual([]);
});
