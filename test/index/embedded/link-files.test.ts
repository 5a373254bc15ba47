import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { linkFiles } from "../../../src/index/embedded/link-files.ts";
import { needs } from "../../helpers/needs.ts";
import { plant, tree } from "../../helpers/tree.ts";

function folders() {
  const { path, dispose } = tree({ "from/one": "1", "from/two": "2", "to/": "" });
  onTestFinished(dispose);
  return { from: join(path, "from"), to: join(path, "to") };
}

test("a file gets a second name, and stays when the first is removed", () => {
  const { from, to } = folders();
  linkFiles(["one"], { from, to });
  expect(statSync(join(to, "one")).ino).toBe(statSync(join(from, "one")).ino);
  rmSync(join(from, "one"));
  expect(readFileSync(join(to, "one"), "utf8")).toBe("1");
});

test("one that is there already stays, and a missing one is an error", () => {
  const { from, to } = folders();
  plant(to, { one: "its own" });
  linkFiles(["one", "two"], { from, to });
  expect(readFileSync(join(to, "one"), "utf8")).toBe("its own");
  expect(() => linkFiles(["three"], { from, to })).toThrow("ENOENT");
});

needs(["mount"], () => {
  test("on another file system a file is copied", async () => {
    const { execFileSync } = await import("node:child_process");
    const { from, to } = folders();
    execFileSync("mount", ["-t", "tmpfs", "none", to]);
    onTestFinished(() => void execFileSync("umount", [to]));
    linkFiles(["one", "two"], { from, to });
    expect(readFileSync(join(to, "two"), "utf8")).toBe("2");
    expect(statSync(join(to, "two")).dev).not.toBe(statSync(join(from, "two")).dev);
  });
});
