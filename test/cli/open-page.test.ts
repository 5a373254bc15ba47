import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createMemoryIo } from "../../src/cli/io.ts";
import { openPage, requirePage } from "../../src/cli/open-page.ts";
import { tree } from "../helpers/tree.ts";

test("the address is printed once, and a private file leads to it until it is removed", async () => {
  const place = tree({});
  onTestFinished(place.dispose);
  const dataDirectory = join(place.path, "data");
  const io = createMemoryIo();
  const remove = await openPage(
    { url: "http://127.0.0.1:7420", newPageCode: () => "abc-_1" },
    { io, dataDirectory, desktop: { platform: "linux", environment: {} } },
  );
  const address = "http://127.0.0.1:7420/#code=abc-_1";
  expect(io.stderr()).toBe(
    `svc found no browser. Open this address within two minutes; it works once:\n${address}\n`,
  );
  const file = join(dataDirectory, "open-page.html");
  expect(readFileSync(file, "utf8")).toContain(`content="0; url=${address}"`);
  expect(statSync(file).mode & 0o077).toBe(process.platform === "win32" ? 0o066 : 0);
  remove();
  expect(existsSync(file)).toBe(false);
});

test("where the file cannot be written, the address is enough", async () => {
  const place = tree({ data: "a file" });
  onTestFinished(place.dispose);
  const io = createMemoryIo();
  const remove = await openPage(
    { url: "http://127.0.0.1:7420", newPageCode: () => "abc" },
    {
      io,
      dataDirectory: join(place.path, "data"),
      desktop: { platform: "darwin", environment: {} },
    },
  );
  remove();
  expect(io.stderr()).toContain("svc found no browser. Open this address");
});

test("the page of other people, and a server without one, are refused", () => {
  requirePage({ host: "127.0.0.1" });
  requirePage({ host: "localhost", role: "read" });
  expect(() => requirePage({ host: "0.0.0.0" })).toThrow("--open cannot be used with --host");
  expect(() => requirePage({ host: "::1", role: "index" })).toThrow("--role index");
});
