import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { tarOf, withFolders } from "../../../../scripts/release/channels/tar.ts";

const BASE = mkdtempSync(join(tmpdir(), "svc-tar-"));
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

const LONG = `${"folder/".repeat(20)}file`;

test("tar lists and unpacks files, folders, links, long paths and owners as they were given", () => {
  const entries = withFolders([
    { path: "usr/bin/svc", mode: 0o755, content: Buffer.from("program") },
    { path: "usr/lib/link", mode: 0o777, target: "../bin/svc" },
    { path: "var/cache", mode: 0o700, owner: 65_532 },
    { path: LONG, mode: 0o600, content: Buffer.alloc(1000, "x") },
  ]);
  const file = join(BASE, "a.tar");
  writeFileSync(file, tarOf(entries, 86_400));
  const listed = execFileSync("tar", ["--numeric-owner", "--utc", "-tvf", file], {
    encoding: "utf8",
  });
  expect(listed).toContain("drwxr-xr-x 0/0               0 1970-01-02 00:00 usr/bin/\n");
  expect(listed).toContain("-rwxr-xr-x 0/0               7 1970-01-02 00:00 usr/bin/svc\n");
  expect(listed).toContain(
    "lrwxrwxrwx 0/0               0 1970-01-02 00:00 usr/lib/link -> ../bin/svc\n",
  );
  expect(listed).toContain("drwx------ 65532/65532       0 1970-01-02 00:00 var/cache/\n");
  execFileSync("tar", ["-xf", file, "-C", BASE]);
  expect(readFileSync(join(BASE, "usr/lib/link"), "utf8")).toBe("program");
  expect(readFileSync(join(BASE, LONG), "utf8")).toBe("x".repeat(1000));
});

test("the archive depends on its entries only, not on their order", () => {
  const one = { path: "a/b", mode: 0o644, content: Buffer.from("1") };
  const two = { path: "a/c", mode: 0o644, content: Buffer.from("2") };
  const [first, second] = [
    [one, two],
    [two, one],
  ].map((entries) => tarOf(withFolders(entries), 7));
  expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
});

test("a path that the format cannot hold is refused", () => {
  expect(() =>
    tarOf([{ path: "x".repeat(101), mode: 0o644, content: Buffer.alloc(0) }], 0),
  ).toThrow("is too long for a tar archive");
});
