import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { releaseFolder } from "../../src/upgrade/release-folder.ts";

const BASE = mkdtempSync(join(tmpdir(), "svc-folder-"));
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

test("it reads small files and streams large ones", async () => {
  writeFileSync(join(BASE, "SHA256SUMS"), "sums");
  const source = releaseFolder(BASE);
  expect((await source.read("SHA256SUMS", 10))?.toString()).toBe("sums");
  expect(await source.read("missing", 10)).toBeUndefined();
  const pieces: Uint8Array[] = [];
  for await (const piece of source.stream("SHA256SUMS")) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe("sums");
  await source.close();
});

test("a file that is too large, a pipe, and a missing folder or file are refused", async () => {
  execFileSync("mkfifo", [join(BASE, "pipe")]);
  writeFileSync(join(BASE, "large"), "0123456789");
  const source = releaseFolder(BASE);
  await expect(source.read("large", 9)).rejects.toThrow("cannot be read, or is not a file");
  await expect(source.read("pipe", 9)).rejects.toThrow("cannot be read, or is not a file");
  for (const name of ["pipe", "missing"])
    await expect(source.stream(name)[Symbol.asyncIterator]().next()).rejects.toThrow(
      "cannot be read, or is not a file",
    );
  expect(() => releaseFolder(join(BASE, "none"))).toThrow("There is no folder ");
});
