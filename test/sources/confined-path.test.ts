import { spawn, spawnSync } from "node:child_process";
import { chmodSync, closeSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import {
  isForbiddenRoot,
  openBelow,
  requireBelow,
  requireFolder,
  resolveInside,
  withUpperDrive,
} from "../../src/sources/confined-path.ts";
import { SvcError } from "../../src/base/errors.ts";
import { toFilePath } from "../../src/base/path-bytes.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { tree } from "../helpers/tree.ts";
import { promise } from "../trust/promise.ts";

function folder(files: Readonly<Record<string, string>> = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

function codeOf(error: unknown): string {
  if (error instanceof SvcError) return error.code;
  throw error;
}

function bytesOf(root: string, path: string): string | Buffer {
  return toFilePath(join(root, path));
}

/** The resolved path, or the error code. */
function resolved(root: string, path: string): string {
  try {
    return resolveInside(root, path);
  } catch (error) {
    return codeOf(error);
  }
}

/** The content, or the error code. */
function opened(root: string, path: string): string {
  let file: number;
  try {
    file = openBelow(requireFolder(root), path, root);
  } catch (error) {
    return codeOf(error);
  }
  try {
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

test("relative paths, and absolute ones inside the root, are resolved", () => {
  const root = folder({ "src/a.ts": "A", "100%.ts": "", "..dots": "", "a..b": "" });
  for (const path of ["src/a.ts", "./src//a.ts", "src/", "100%.ts", "..dots", "a..b", "", "."]) {
    expect(resolved(root, path)).toBe(join(root, path).replace(/\/$/, ""));
  }
  expect(resolved(root, join(root, "src/a.ts"))).toBe(join(root, "src/a.ts"));
  const alias = join(folder(), "alias");
  symlinkSync(root, alias);
  expect(resolved(alias, join(alias, "src/a.ts"))).toBe(join(root, "src/a.ts"));
  expect(resolved(alias, join(root, "src/a.ts"))).toBe(join(root, "src/a.ts"));
});

test.each([
  "..",
  "../x",
  "src/../../x",
  "src/../a.ts",
  "/etc/passwd",
  "/",
  "a\0b",
  "..\\x",
  "src\\..\\..\\x",
  "\\\\server\\share",
  "C:\\x",
  "c:/x",
  "\\x",
  "/proc/self/root/etc/passwd",
])("%j leads out of the source", (path) => {
  const root = folder({ "src/a.ts": "", "a.ts": "" });
  expect(resolved(root, path)).toBe("PATH_OUTSIDE_SOURCE");
  expect(opened(root, path)).toBe("PATH_OUTSIDE_SOURCE");
});

test("a folder whose name only begins with the root's is outside", () => {
  const parent = folder({ "root/a.ts": "", "root-evil/b.ts": "" });
  expect(resolved(join(parent, "root"), join(parent, "root-evil/b.ts"))).toBe(
    "PATH_OUTSIDE_SOURCE",
  );
});

test.each(["%2e%2e/x", "..%2fx", "nowhere", "src/nowhere", "a.ts/below", "n".repeat(300)])(
  "%j is an ordinary name that does not exist",
  (path) => {
    expect(resolved(folder({ "a.ts": "", "src/b.ts": "" }), path)).toBe("PATH_NOT_FOUND");
  },
);

promise(
  [27],
  "links inside a source are followed; links that lead out are refused, whether or not their target exists",
  () => {
    const outside = folder({ "secret.txt": "S" });
    const root = folder({ "src/a.ts": "A" });
    const links = {
      inside: "src/a.ts",
      insideFolder: "src",
      out: join(outside, "secret.txt"),
      outFolder: outside,
      outMissing: join(outside, "nothing"),
      up: "..",
      viaInside: "outFolder",
      dangling: "src/gone",
      self: "self",
      chain: "outMissing",
      procRoot: "/proc/self/root",
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
    expect(resolved(root, "inside")).toBe(join(root, "src/a.ts"));
    expect(resolved(root, "insideFolder/a.ts")).toBe(join(root, "src/a.ts"));
    expect(opened(root, "inside")).toBe("A");
    for (const path of ["insideFolder/gone", "dangling", "self", "self/x"]) {
      expect([path, resolved(root, path)]).toEqual([path, "PATH_NOT_FOUND"]);
    }
    for (const path of [
      "out",
      "outFolder",
      "outFolder/secret.txt",
      "outFolder/nothing",
      "outMissing",
      "outMissing/x",
      "up",
      "up/nothing",
      "viaInside/secret.txt",
      "viaInside/nothing",
      "chain",
      "procRoot/etc/passwd",
    ]) {
      expect([path, resolved(root, path)]).toEqual([path, "PATH_OUTSIDE_SOURCE"]);
      expect([path, opened(root, path)]).toEqual([path, "PATH_OUTSIDE_SOURCE"]);
    }
    return 18;
  },
);

test("names that are not UTF-8 are resolved and opened, also through links", () => {
  const root = folder({ "a.ts": "A" });
  plantPaths(root, { "caf\u{10FFE9}/\u{10FFFF}.ts": "INSIDE" });
  const outside = folder();
  plantPaths(outside, { "o\u{10FFE9}/secret.ts": "OUTSIDE" });
  symlinkSync(bytesOf(root, "caf\u{10FFE9}"), join(root, "link"));
  symlinkSync(bytesOf(outside, "o\u{10FFE9}"), join(root, "out"));
  symlinkSync(join(root, "a.ts"), bytesOf(root, "caf\u{10FFE9}/l\u{10FFE9}"));
  const path = "caf\u{10FFE9}/\u{10FFFF}.ts";
  expect(resolved(root, path)).toBe(join(root, path));
  expect(resolved(root, join(root, path))).toBe(join(root, path));
  expect(resolved(root, "link/\u{10FFFF}.ts")).toBe(join(root, path));
  expect([opened(root, path), opened(root, "link/\u{10FFFF}.ts")]).toEqual(["INSIDE", "INSIDE"]);
  expect(opened(root, "caf\u{10FFE9}/l\u{10FFE9}")).toBe("A");
  expect(opened(join(root, "caf\u{10FFE9}"), "\u{10FFFF}.ts")).toBe("INSIDE");
  expect(requireFolder(join(root, "link"))).toBe(join(root, "caf\u{10FFE9}"));
  for (const one of ["out/secret.ts", "out/nothing", "link/l\u{10FFE9}/../../../x"]) {
    expect([one, opened(root, one)]).toEqual([one, "PATH_OUTSIDE_SOURCE"]);
  }
  for (const one of ["caf\uFFFD/\u{10FFFF}.ts", "caf\u{10FFE8}", "link/\u{10FFFE}.ts"]) {
    expect([one, opened(root, one)]).toEqual([one, "PATH_NOT_FOUND"]);
  }
});

test("escapes of ASCII bytes do not lead out", () => {
  const parent = folder({ "secret.ts": "OUTSIDE", "root/a.ts": "" });
  for (const path of [
    "\u{10FF2E}\u{10FF2E}/secret.ts",
    "..\u{10FF2F}secret.ts",
    "a.ts\u{10FF00}",
  ]) {
    expect([path, opened(join(parent, "root"), path)]).toEqual([path, "PATH_NOT_FOUND"]);
  }
});

test("only regular files are opened, without blocking", () => {
  const root = folder({ "src/a.ts": "A" });
  spawnSync("mkfifo", [join(root, "pipe")]);
  expect([opened(root, "src/a.ts"), opened(root, "src"), opened(root, "pipe")]).toEqual([
    "A",
    "PATH_NOT_FOUND",
    "PATH_NOT_FOUND",
  ]);
});

promise(
  [27],
  "a folder that is repeatedly replaced by a link never gives a file from outside",
  async () => {
    const outside = folder({ "a.ts": "OUTSIDE" });
    const root = folder({ "real/a.ts": "INSIDE", "link/a.ts": "INSIDE" });
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
    const seen = new Map<string, number>();
    for (let round = 0; round < 20_000; round++) {
      const result = opened(root, "link/a.ts");
      seen.set(result, (seen.get(result) ?? 0) + 1);
    }
    const ended = new Promise((resolve) => racer.once("exit", resolve));
    racer.send("stop");
    await ended;
    expect(seen.get("OUTSIDE")).toBeUndefined();
    expect(seen.get("INSIDE")).toBeGreaterThan(0);
    expect(seen.get("PATH_OUTSIDE_SOURCE")).toBeGreaterThan(0);
    return 20_000;
  },
);

test("the root of the file system and the home directory are forbidden, folders below are not", () => {
  const home = folder({ "project/a.ts": "" });
  const alias = join(folder(), "home");
  symlinkSync(home, alias);
  for (const path of ["/", home, `${home}/`, join(home, "project/.."), alias]) {
    expect([path, isForbiddenRoot(path, home)]).toEqual([path, true]);
  }
  expect(isForbiddenRoot(home, alias)).toBe(true);
  expect(isForbiddenRoot(join(home, "project"), home)).toBe(false);
  expect(isForbiddenRoot(join(home, "gone"), join(home, "gone-too"))).toBe(false);
});

test("a folder must exist, be a folder, and be readable", () => {
  const root = folder({ "a.ts": "", "closed/b.ts": "" });
  symlinkSync(root, join(root, "alias"));
  expect(requireFolder(join(root, "alias"))).toBe(root);
  for (const name of ["a.ts", "nowhere"]) {
    expect(() => requireFolder(join(root, name))).toThrow(
      expect.objectContaining({ code: "PATH_NOT_FOUND" }),
    );
  }
  chmodSync(root, 0o755);
  chmodSync(join(root, "closed"), 0o600);
  const script = `
    const { requireFolder } = await import(${JSON.stringify(new URL("../../src/sources/confined-path.ts", import.meta.url).href)});
    try { requireFolder(process.argv[1]); } catch (error) { console.log(error.code); }
  `;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", script, join(root, "closed")],
    { ...user, cwd: "/", encoding: "utf8" },
  );
  chmodSync(join(root, "closed"), 0o700);
  expect(stdout).toBe("PATH_NOT_FOUND\n");
});

test("a folder below one of several roots is found; all other paths get the same error", () => {
  const base = folder({ "one/src/a.ts": "", "two/": "", "two-evil/": "", "secret/": "" });
  symlinkSync(join(base, "secret"), join(base, "one", "way-out"));
  const roots = [join(base, "missing"), join(base, "one"), join(base, "two")];
  const outcome = (path: string): string => {
    try {
      return requireBelow(roots, join(base, path));
    } catch (error) {
      return codeOf(error);
    }
  };
  const inside = ["one", "one/src", "two"];
  expect(inside.map(outcome)).toEqual(inside.map((path) => join(base, path)));
  expect(["one/none", "one/src/a.ts"].map(outcome)).toEqual(["PATH_NOT_FOUND", "PATH_NOT_FOUND"]);
  const outside = [
    "",
    "secret",
    "none",
    "two-evil",
    "one/way-out",
    "one/way-out/none",
    "two/../secret",
  ];
  expect(outside.map(outcome)).toEqual(outside.map(() => "FORBIDDEN"));
});

test("a drive of Windows has one name, and other paths stay as they are", () => {
  for (const [path, expected] of [
    ["c:\\Users\\me", "C:\\Users\\me"],
    ["C:\\Users\\me", "C:\\Users\\me"],
    ["z:", "Z:"],
    ["\\\\server\\share", "\\\\server\\share"],
    ["\\\\?\\c:\\long", "\\\\?\\c:\\long"],
  ] as const) {
    expect(withUpperDrive(path, "win32")).toBe(expected);
  }
  expect(withUpperDrive("c:/a", "linux")).toBe("c:/a");
});
