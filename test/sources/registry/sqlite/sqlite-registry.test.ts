import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { SqliteRegistry } from "../../../../src/sources/registry/sqlite/sqlite-registry.ts";
import { registryContract } from "../../../contract/registry.ts";
import { openRegistry } from "../../../helpers/open-registry.ts";
import { tree } from "../../../helpers/tree.ts";

function dataFolder(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return join(path, "data");
}

registryContract(() => {
  const data = dataFolder();
  return () => new SqliteRegistry(data);
});

test("many processes that open the registry at once all get their namespace", async () => {
  const data = dataFolder();
  const helper = new URL("../../../helpers/open-registry.ts", import.meta.url);
  const children = [1, 2, 3, 4].map((at) => {
    const root = join(data, `p${at}/app`);
    mkdirSync(root, { recursive: true });
    const program = `const { openRegistry } = await import(${JSON.stringify(helper)});
      const registry = openRegistry(${JSON.stringify(join(data, "fresh"))});
      process.stdout.write(await registry.ensureWorkspace(${JSON.stringify(root)}));
      registry.close();`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let name = "";
    child.stdout.on("data", (chunk: Buffer) => (name += chunk.toString()));
    return once(child, "close").then(([code]) => `${String(code)} ${name}`);
  });
  const names = await Promise.all(children);
  expect(names.toSorted()).toEqual(["0 app", "0 app-2", "0 app-3", "0 app-4"]);
}, 30_000);

test("only the owner can access the registry", () => {
  const data = dataFolder();
  openRegistry(data).close();
  expect(statSync(data).mode & 0o777).toBe(0o700);
  expect(statSync(join(data, "registry.db")).mode & 0o777).toBe(0o600);
});

test.each([
  ["a file", "file"],
  ["below a file", "file/below"],
])("a data directory that is %s gives an error that says so", (_, where) => {
  const { path, dispose } = tree({ file: "" });
  onTestFinished(dispose);
  expect(() => openRegistry(join(path, where))).toThrow(
    expect.objectContaining({
      code: "INDEX_UNAVAILABLE",
      message: "The data directory cannot be written.",
      hint: expect.stringContaining("svc doctor"),
    }),
  );
});
