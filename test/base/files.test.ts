import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import {
  createPrivateDirectory,
  readRegularFile,
  whileInUse,
  writeFileAtomic,
} from "../../src/base/files.ts";
import { tree } from "../helpers/tree.ts";

function folder(files: Readonly<Record<string, string>> = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

const MODULE = new URL("../../src/base/files.ts", import.meta.url).href;

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test("a written file has its content and mode, whatever the umask", () => {
  const root = folder();
  const script = `
    process.umask(0o077);
    const { writeFileAtomic } = await import(${JSON.stringify(MODULE)});
    writeFileAtomic(process.argv[1] + "/private", "text");
    writeFileAtomic(process.argv[1] + "/shared", Buffer.from([1, 2]), { mode: 0o644 });
  `;
  execFileSync(process.execPath, ["--input-type=module", "-e", script, root]);
  expect(readFileSync(join(root, "private"), "utf8")).toBe("text");
  expect([...readFileSync(join(root, "shared"))]).toEqual([1, 2]);
  expect([modeOf(join(root, "private")), modeOf(join(root, "shared"))]).toEqual(["600", "644"]);
});

test("a link in place of the file is replaced, and its target is unchanged", () => {
  const root = folder({ target: "old" });
  symlinkSync("target", join(root, "link"));
  writeFileAtomic(join(root, "link"), "new");
  expect([
    readFileSync(join(root, "target"), "utf8"),
    readFileSync(join(root, "link"), "utf8"),
  ]).toEqual(["old", "new"]);
});

test("a failed write throws, and leaves the old state and no temporary file", () => {
  const root = folder({ "directory/x": "" });
  expect(() => writeFileAtomic(join(root, "directory"), "text")).toThrow("EISDIR");
  expect(() => writeFileAtomic(join(root, "missing/file"), "text")).toThrow("ENOENT");
  expect(readdirSync(root)).toEqual(["directory"]);
});

test("readers see only complete contents while a file is replaced repeatedly", async () => {
  const root = folder({ file: "0".repeat(50_000) });
  const script = `
    const { writeFileAtomic } = await import(${JSON.stringify(MODULE)});
    process.send("ready");
    for (let n = 0; n < 60; n++) writeFileAtomic(process.argv[1], String(n % 10).repeat(50_000));
    process.disconnect();
  `;
  const writer = spawn(
    process.execPath,
    ["--input-type=module", "-e", script, join(root, "file")],
    {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  await new Promise((resolve) => writer.once("message", resolve));
  const ended = new Promise((resolve) => writer.once("exit", resolve));
  while (writer.exitCode === null) {
    const text = readFileSync(join(root, "file"), "utf8");
    expect(text === text.charAt(0).repeat(50_000)).toBe(true);
    await new Promise(setImmediate);
  }
  expect(await ended).toBe(0);
  expect(readdirSync(root)).toEqual(["file"]);
});

test("a private directory is created with its parents, and an open one becomes private", () => {
  const root = folder();
  createPrivateDirectory(join(root, "a/b"));
  expect([modeOf(join(root, "a")), modeOf(join(root, "a/b"))]).toEqual(["700", "700"]);
  mkdirSync(join(root, "open"));
  chmodSync(join(root, "open"), 0o755);
  createPrivateDirectory(join(root, "open"));
  expect(modeOf(join(root, "open"))).toBe("700");
});

test("a file in place of the directory is an error with a code", () => {
  const root = folder({ taken: "" });
  for (const path of ["taken", "taken/below"]) {
    expect(() => createPrivateDirectory(join(root, path))).toThrow(
      expect.objectContaining({ code: "INDEX_UNAVAILABLE" }),
    );
  }
});

test("only regular files up to the limit are read", () => {
  const root = folder({ file: "12345", empty: "" });
  symlinkSync("file", join(root, "link"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  expect(readRegularFile(join(root, "file"), 5)?.toString()).toBe("12345");
  expect(readRegularFile(join(root, "empty"), 5)?.toString()).toBe("");
  expect(readRegularFile(join(root, "file"), 4)).toBeUndefined();
  for (const name of ["link", "pipe", "gone", "."]) {
    expect(readRegularFile(join(root, name), 99)).toBeUndefined();
  }
  writeFileSync(join(root, "file"), "1");
  expect(readRegularFile(join(root, "file"), 5)?.toString()).toBe("1");
});

test("an error before the rename leaves the old content and no temporary file", () => {
  const root = folder({ file: "old" });
  const seen: string[] = [];
  const beforeRename = (): void => {
    seen.push(...readdirSync(root).filter((name) => name.endsWith(".tmp")));
    throw new Error("somebody was faster");
  };
  expect(() => writeFileAtomic(join(root, "file"), "new", { beforeRename })).toThrow("faster");
  expect(seen).toHaveLength(1);
  expect(readFileSync(join(root, "file"), "utf8")).toBe("old");
  expect(readdirSync(root)).toEqual(["file"]);
});

/** Fails with these codes, one per call, and then returns "done". */
function refusedWith(...codes: readonly string[]): { readonly run: () => string; calls: number } {
  const refused = {
    calls: 0,
    run: (): string => {
      const code = codes[refused.calls];
      refused.calls += 1;
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      return "done";
    },
  };
  return refused;
}

const ON_WINDOWS = { platform: "win32", waitsMs: [0, 0, 0] } as const;

test("on Windows, a file that another program has open is tried again, a limited number of times", () => {
  const short = refusedWith("EPERM", "EBUSY", "EACCES");
  expect(whileInUse(short.run, ON_WINDOWS)).toBe("done");
  const long = refusedWith(...Array.from({ length: 10 }, () => "EBUSY"));
  expect(() => whileInUse(long.run, ON_WINDOWS)).toThrow("EBUSY");
  expect([short.calls, long.calls]).toEqual([4, 4]);
});

test("other errors, and all errors of other systems, are thrown at once", () => {
  const missing = refusedWith("ENOENT");
  expect(() => whileInUse(missing.run, ON_WINDOWS)).toThrow("ENOENT");
  for (const platform of ["linux", "darwin"] as const) {
    const refused = refusedWith("EPERM");
    expect(() => whileInUse(refused.run, { ...ON_WINDOWS, platform })).toThrow("EPERM");
    expect(refused.calls).toBe(1);
  }
  expect(missing.calls).toBe(1);
});
