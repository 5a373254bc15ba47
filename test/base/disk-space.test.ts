import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { withDiskSpace } from "../../src/base/disk-space.ts";
import { tree } from "../helpers/tree.ts";
import { needs } from "../helpers/needs.ts";

test("work on a disk with free space returns its result or throws its own error", async () => {
  const { signal } = new AbortController();
  expect(await withDiskSpace(tmpdir(), signal, () => Promise.resolve(7))).toBe(7);
  await expect(
    withDiskSpace(tmpdir(), signal, () => Promise.reject(new Error("own"))),
  ).rejects.toThrow("own");
});

needs(["namespaces"], () => {
  test("work that fills a disk is aborted before the disk is full", () => {
    const { path, dispose } = tree();
    onTestFinished(dispose);
    const module = new URL("../../src/base/disk-space.ts", import.meta.url);
    const program = `
    import { writeFileSync } from "node:fs";
    const { withDiskSpace } = await import(${JSON.stringify(module)});
    const at = ${JSON.stringify(path)};
    const { signal } = new AbortController();
    const ended = await withDiskSpace(at, signal, async (both) => {
      writeFileSync(at + "/a", Buffer.alloc(39 << 20));
      await new Promise((resolve) => both.addEventListener("abort", resolve));
    }).catch((thrown) => thrown.code);
    const again = await withDiskSpace(at, signal, async () => "began").catch((thrown) => thrown.code);
    console.log(ended, again);
  `;
    const script = `mount -t tmpfs -o size=40m svc ${path} && exec "$0" --input-type=module -e "$1"`;
    const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
    const run = spawnSync(
      "unshare",
      [...user, "--mount", "sh", "-c", script, process.execPath, program],
      { encoding: "utf8", cwd: fileURLToPath(new URL("../..", import.meta.url)) },
    );
    expect([run.stdout, run.stderr]).toEqual(["STORAGE_FULL STORAGE_FULL\n", ""]);
  }, 60_000);
});
