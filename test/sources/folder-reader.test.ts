import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  fstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { FolderReader } from "../../src/sources/folder-reader.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { plant, tree } from "../helpers/tree.ts";
import { promise } from "../trust/promise.ts";

function folder(files: Readonly<Record<string, string>> = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

/** The content, or the code it is refused with. */
function read(reader: FolderReader, path: string): string {
  let file: number;
  try {
    file = reader.open(path);
  } catch (error) {
    if (error instanceof SvcError) return error.code;
    throw error;
  }
  try {
    return fstatSync(file).isFile() ? readFileSync(file, "utf8") : "no file";
  } finally {
    closeSync(file);
  }
}

function openFiles(): number {
  return readdirSync("/proc/self/fd").length;
}

test("files are opened by their path from the root, and nothing stays open", () => {
  const root = folder({ "a.ts": "A", "src/b.ts": "B", "src/deep/c.ts": "C", "100%/a..b": "D" });
  const before = openFiles();
  const reader = new FolderReader({ root, namespace: "t" });
  expect(
    ["a.ts", "src/b.ts", "src/deep/c.ts", "100%/a..b", "src/b.ts"].map((path) =>
      read(reader, path),
    ),
  ).toEqual(["A", "B", "C", "D", "B"]);
  expect(openFiles()).toBe(before);
});

test("a root that is missing or no folder is refused", () => {
  const root = folder({ "a.ts": "" });
  for (const name of ["nowhere", "a.ts"]) {
    expect(() => new FolderReader({ root: join(root, name), namespace: "t" })).toThrow(
      expect.objectContaining({ code: "PATH_NOT_FOUND" }),
    );
  }
});

test.each([
  "..",
  "../x",
  "src/../../x",
  "src/../a.ts",
  "/etc/passwd",
  "a\0b",
  "..\\x",
  "C:\\x",
  "/proc/self/root/etc/passwd",
  "out",
  "outFolder/secret.txt",
  "outFolder/nothing",
  "viaInside/secret.txt",
  "procRoot/etc/passwd",
])("%j leads out of the source", (path) => {
  const outside = folder({ "secret.txt": "OUTSIDE" });
  const root = folder({ "src/a.ts": "A" });
  const links = {
    out: join(outside, "secret.txt"),
    outFolder: outside,
    viaInside: "outFolder",
    procRoot: "/proc/self/root",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  const before = openFiles();
  expect(read(new FolderReader({ root, namespace: "t" }), path)).toBe("PATH_OUTSIDE_SOURCE");
  expect(openFiles()).toBe(before);
});

test("links that stay inside are followed", () => {
  const root = folder({ "src/a.ts": "A" });
  symlinkSync("src/a.ts", join(root, "file"));
  symlinkSync("src", join(root, "folder"));
  symlinkSync("gone", join(root, "dangling"));
  const reader = new FolderReader({ root, namespace: "t" });
  expect(["file", "folder/a.ts", "dangling"].map((path) => read(reader, path))).toEqual([
    "A",
    "A",
    "PATH_NOT_FOUND",
  ]);
});

test("what is missing, refused or no file is told apart without waiting", () => {
  const root = folder({ "src/a.ts": "A" });
  spawnSync("mkfifo", [join(root, "pipe")]);
  const reader = new FolderReader({ root, namespace: "t" });
  expect(
    ["gone", "src/gone", "src/a.ts/below", "n".repeat(300), "", "pipe", "src"].map((path) =>
      read(reader, path),
    ),
  ).toEqual([...Array.from({ length: 5 }, () => "PATH_NOT_FOUND"), "no file", "no file"]);
});

test("what may not be read is refused", () => {
  const root = folder({ "a.ts": "A" });
  chmodSync(root, 0o755);
  chmodSync(join(root, "a.ts"), 0);
  const script = `
    const { FolderReader } = await import(${JSON.stringify(new URL("../../src/sources/folder-reader.ts", import.meta.url).href)});
    try { new FolderReader({ root: process.argv[1], namespace: "t" }).open("a.ts"); } catch (error) { console.log(error.code); }
  `;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script, root], {
    ...user,
    cwd: "/",
    encoding: "utf8",
  });
  expect(stdout).toBe("PATH_NOT_FOUND\n");
});

test("names that are not UTF-8 are opened, also in a root that has such a name", () => {
  const parent = folder();
  const inside = { "caf\u{10FFE9}/\u{10FFFF}.ts": "A", "caf\uFFFD/b.ts": "B" };
  plantPaths(join(parent, "r\u{10FFE9}"), inside);
  plantPaths(join(parent, "r\u{10FFE8}"), { "secret.ts": "OUTSIDE" });
  const reader = new FolderReader({ root: join(parent, "r\u{10FFE9}"), namespace: "t" });
  expect(Object.keys(inside).map((path) => read(reader, path))).toEqual(Object.values(inside));
  // The two roots differ in one byte, which Node decodes to the same character.
  symlinkSync(
    Buffer.concat([Buffer.from(join(parent, "r")), Buffer.of(0xe8)]),
    Buffer.concat([Buffer.from(join(parent, "r")), Buffer.of(0xe9), Buffer.from("/link")]),
  );
  expect(read(reader, "link/secret.ts")).toBe("PATH_OUTSIDE_SOURCE");
});

test("a folder replaced between two openings gives what is there now, or is refused", () => {
  const outside = folder({ "a.ts": "OUTSIDE", "b.ts": "OUTSIDE" });
  const root = folder({ "d/a.ts": "OLD", "d/b.ts": "OLD", "e/a.ts": "E" });
  const reader = new FolderReader({ root, namespace: "t" });
  const seen = [read(reader, "d/a.ts")];
  const step = (change: () => void): void => {
    change();
    seen.push(read(reader, "d/b.ts"));
  };
  step(() => {
    renameSync(join(root, "d"), join(root, "moved"));
    symlinkSync(outside, join(root, "d"));
  });
  step(() => {
    unlinkSync(join(root, "d"));
    symlinkSync("moved", join(root, "d"));
  });
  step(() => {
    unlinkSync(join(root, "d"));
    plant(root, { "d/b.ts": "NEW" });
  });
  step(() => {
    renameSync(join(root, "d"), join(outside, "moved-out"));
  });
  expect(seen).toEqual(["OLD", "PATH_OUTSIDE_SOURCE", "OLD", "NEW", "PATH_NOT_FOUND"]);
});

test("the root is the folder that it was, not what takes its name", () => {
  const outside = folder({ "a.ts": "OUTSIDE" });
  const parent = folder({ "root/a.ts": "A" });
  const reader = new FolderReader({ root: join(parent, "root"), namespace: "t" });
  renameSync(join(parent, "root"), join(parent, "spare"));
  symlinkSync(outside, join(parent, "root"));
  expect(read(reader, "a.ts")).toBe("PATH_OUTSIDE_SOURCE");
});

promise(
  [27],
  "a folder swapped for a link again and again never gives a file from outside",
  async () => {
    const outside = folder({ "a.ts": "OUTSIDE", "deep/a.ts": "OUTSIDE" });
    const root = folder({ "link/a.ts": "INSIDE", "link/deep/a.ts": "INSIDE" });
    const script = `
    import { renameSync, symlinkSync } from "node:fs";
    const [root, outside] = process.argv.slice(1);
    symlinkSync(outside, root + "/other");
    process.on("message", () => process.disconnect());
    process.send("ready");
    const turn = () => {
      if (!process.connected) return;
      for (let n = 0; n < 50; n++) {
        renameSync(root + "/link", root + "/spare");
        renameSync(root + "/other", root + "/link");
        renameSync(root + "/spare", root + "/other");
      }
      setImmediate(turn);
    };
    turn();
  `;
    const racer = spawn(process.execPath, ["--input-type=module", "-e", script, root, outside], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    await new Promise((resolve) => racer.once("message", resolve));
    const reader = new FolderReader({ root, namespace: "t" });
    const before = openFiles();
    const seen = new Set<string>();
    for (let round = 0; round < 20_000; round++) {
      seen.add(read(reader, round % 2 === 0 ? "link/a.ts" : "link/deep/a.ts"));
    }
    expect(openFiles()).toBe(before);
    const ended = new Promise((resolve) => racer.once("exit", resolve));
    racer.send("stop");
    expect(await ended).toBe(0);
    expect(seen).toContain("INSIDE");
    expect(seen).toContain("PATH_OUTSIDE_SOURCE");
    expect(seen).not.toContain("OUTSIDE");
    return 20_000;
  },
);
