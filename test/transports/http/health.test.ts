// The answers to probes of a server, and their cost.
import { expect, onTestFinished, test, vi } from "vitest";

import { outcomeOf, serve, type TestServer } from "./serve.ts";

function probe(server: TestServer, path: string, Host = `127.0.0.1:${server.port}`) {
  return outcomeOf(server, {
    line: `GET ${path} HTTP/1.1`,
    headers: { Host, Authorization: undefined },
    body: "",
  });
}

test("a storm of probes causes at most one check a second, and never two at the same time", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  const opened = Promise.withResolvers<void>();
  const server = await serve([], {
    ready: () => {
      looks += 1;
      return opened.promise;
    },
  });
  const waiting = Array.from({ length: 50 }, () => probe(server, "/readyz"));
  expect(await probe(server, "/healthz")).toBe("200 ok");
  expect(looks).toBeLessThanOrEqual(1);
  opened.resolve();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["200 ok"]));
  for (let count = 0; count < 50; count += 1) {
    // eslint-disable-next-line no-await-in-loop -- one after the other
    expect(await probe(server, "/readyz")).toBe("200 ok");
  }
  expect(looks).toBe(1);
  for (const [ms, all] of [
    [1000, 1],
    [1, 2],
    [1001, 3],
  ] as const) {
    vi.advanceTimersByTime(ms);
    // eslint-disable-next-line no-await-in-loop -- one after the other
    expect(await probe(server, "/readyz")).toBe("200 ok");
    expect(looks).toBe(all);
  }
});

test("readiness recovers once the problem is fixed", async () => {
  let isBroken = true;
  const server = await serve([], {
    ready: () => (isBroken ? Promise.reject(new Error("/secret/place")) : Promise.resolve()),
  });
  expect(await probe(server, "/readyz")).toBe("503 OVERLOADED");
  isBroken = false;
  await expect.poll(() => probe(server, "/readyz"), { timeout: 15_000 }).toBe("200 ok");
});

test("a server for other machines answers probes under any name, and no other request", async () => {
  const server = await serve([], { host: "0.0.0.0", allowHosts: ["code.example.org"] });
  const paths = ["/healthz", "/readyz", "/openapi.json", "/metrics", "/mcp", "/nowhere"];
  const outcomes = await Promise.all(
    paths.map((path) => probe(server, path, `10.1.2.3:${server.port}`)),
  );
  expect(outcomes).toEqual(["200 ok", "200 ok", ...Array<string>(4).fill("403 FORBIDDEN")]);
  const page = { Host: "10.1.2.3", Origin: "http://10.1.2.3", Authorization: undefined };
  const line = "GET /healthz HTTP/1.1";
  expect(await outcomeOf(server, { line, headers: page, body: "" })).toBe("403 FORBIDDEN");
});

test("a server for this machine only checks the name for probes as well", async () => {
  const server = await serve();
  const outcomes = [await probe(server, "/healthz", "evil.org"), await probe(server, "/healthz")];
  expect(outcomes).toEqual(["403 FORBIDDEN", "200 ok"]);
});
