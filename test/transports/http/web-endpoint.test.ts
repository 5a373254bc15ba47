// The files of the search page, served from the sources.
import { gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { ask, serveProject } from "./serve-project.ts";

test("the page and everything it loads are served with the right type and a strict policy", async () => {
  const server = await serveProject({});
  const page = await ask(server, "/");
  const loaded = [...page.body.matchAll(/(?:src|href)="(?<path>\/[^"]*)"/g)].map(
    ({ groups }) => groups?.["path"] ?? "",
  );
  expect(loaded.toSorted()).toEqual(["/page/app.js", "/page/icon.svg", "/page/style.css"]);
  const answers = [page, ...(await Promise.all(loaded.map((path) => ask(server, path))))];
  expect(answers.map(({ status, headers }) => `${status} ${headers["content-type"]}`)).toEqual([
    "200 text/html; charset=utf-8",
    "200 image/svg+xml",
    "200 text/css; charset=utf-8",
    "200 text/javascript; charset=utf-8",
  ]);
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("modules are served as JavaScript, and no other source is served", async () => {
  const server = await serveProject({});
  const { body } = await ask(server, "/page/app.js");
  const [, imported = ""] = /from "\.\/(?<file>[^"]+)"/.exec(body) ?? [];
  const found = await ask(server, `/page/${imported}`);
  expect(found.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(found.body).not.toMatch(/^import type|: string/m);
  const paths = [
    "/page/",
    "/page/tsconfig.json",
    "/page/../main.ts",
    "/page/%2e%2e/main.ts",
    "/page",
  ];
  const statuses = await Promise.all(paths.map(async (path) => (await ask(server, path)).status));
  expect(statuses).toEqual(paths.map(() => 404));
});

test("a browser with the current file gets 304, and one with another version gets the file", async () => {
  const server = await serveProject({});
  const first = await ask(server, "/page/style.css");
  const etag = String(first.headers.etag);
  const answerTo = (known: string, method = "GET") =>
    ask(server, "/page/style.css", { method, headers: { "If-None-Match": known } });
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const again = await answerTo(known);
    expect([again.status, again.body, again.headers.etag]).toEqual([304, "", etag]);
    expect(again.headers["content-security-policy"]).toBe(first.headers["content-security-policy"]);
  }
  expect(await answerTo('"other"')).toMatchObject({ status: 200, body: first.body });
  const head = await answerTo('"other"', "HEAD");
  expect([head.status, head.body]).toEqual([200, ""]);
  expect(head.headers["content-length"]).toBe(first.headers["content-length"]);
});

test("a client that accepts gzip gets it, with a tag of its own, and others get the plain file", async () => {
  const server = await serveProject({});
  const plain = await ask(server, "/page/style.css");
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.headers.vary).toBe("Accept-Encoding");
  const encodings = async (accepted: string): Promise<string | undefined> => {
    const headers = { "Accept-Encoding": accepted };
    return (await ask(server, "/page/style.css", { headers })).headers["content-encoding"];
  };
  expect(await encodings("gzip, deflate, br")).toBe("gzip");
  expect(await encodings("br;q=1.0, *;q=0.5")).toBe("gzip");
  expect(await encodings("gzip;q=0, br")).toBeUndefined();
  expect(await encodings("br, deflate")).toBeUndefined();
  // `fetch` asks for gzip and unpacks it.
  const fetched = await fetch(`${server.url}/page/style.css`);
  expect(fetched.headers.get("content-encoding")).toBe("gzip");
  expect(await fetched.text()).toBe(plain.body);
  const packedTag = fetched.headers.get("etag") ?? "";
  expect(packedTag).not.toBe(plain.headers.etag);
  const again = await ask(server, "/page/style.css", {
    headers: { "Accept-Encoding": "gzip", "If-None-Match": packedTag },
  });
  expect([again.status, again.headers.etag]).toEqual([304, packedTag]);
});

test("everything that the first visit loads is small", async () => {
  const sizes = await firstLoad();
  expect(sizes.filter((size) => size < 100)).toEqual([]);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
});

/** Bytes of each file of the page as the executable sends them, compressed. */
async function firstLoad(): Promise<readonly number[]> {
  const { bundlePage } = await import("../../../scripts/bundle.mjs");
  const { outputFiles } = await bundlePage("page");
  const server = await serveProject({});
  const files = await Promise.all(
    ["/", "/page/style.css", "/page/icon.svg"].map(async (path) => {
      const headers = { "Accept-Encoding": "gzip" };
      const answer = await ask(server, path, { method: "HEAD", headers });
      return Number(answer.headers["content-length"]);
    }),
  );
  const first = outputFiles.find(({ path }) => path.endsWith("app.js"));
  const script = gzipSync(first?.contents ?? "", { level: 9 }).length;
  return [...files, script];
}

test("other methods are refused, and other hosts and origins too", async () => {
  const server = await serveProject({});
  const posted = await ask(server, "/", { method: "POST" });
  expect([posted.status, posted.headers.allow]).toEqual([405, "GET, HEAD"]);
  expect((await ask(server, "/", { headers: { Host: "evil.example.org" } })).status).toBe(403);
  expect((await ask(server, "/", { headers: { Origin: "http://evil.example.org" } })).status).toBe(
    403,
  );
});
