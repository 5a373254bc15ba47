import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { SKIP_REASONS } from "../../src/scan/skip-reasons.ts";
import { walk, type WalkOptions } from "../../src/scan/walk.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { plant, tree } from "../helpers/tree.ts";
import { promise } from "../trust/promise.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A directory that is removed after the test. */
function folder(files: Files = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

function taken(root: string, options?: WalkOptions): string[] {
  return walk(root, options).files.map(({ path }) => path);
}

function skipped(root: string, options?: WalkOptions): Record<string, string> {
  return Object.fromEntries(walk(root, options).skipped.map(({ path, reason }) => [path, reason]));
}

test("files are sorted by path and have size, time and inode", () => {
  const root = folder({
    "b.ts": "12345",
    "a/x.ts": "1",
    "a-b.ts": "",
    ".github/workflows/ci.yml": "on: push",
  });
  const { files, skipped: left, ignored, complete, warnings } = walk(root);
  expect(files.map(({ path }) => path)).toEqual([
    ".github/workflows/ci.yml",
    "a-b.ts",
    "a/x.ts",
    "b.ts",
  ]);
  utimesSync(join(root, "b.ts"), 1_700_000_000.123_456, 1_700_000_000.123_456);
  const stat = lstatSync(join(root, "b.ts"));
  expect(stat.mtimeMs).toBeCloseTo(1_700_000_000_123.456, 3);
  expect(walk(root).files[3]).toEqual({
    path: "b.ts",
    sizeBytes: 5,
    mtimeMs: stat.mtimeMs,
    inode: stat.ino,
  });
  expect({ left, ignored, complete, warnings }).toEqual({
    left: [],
    ignored: { git: 0, svc: 0, options: 0 },
    complete: true,
    warnings: [],
  });
});

test.each([
  ["binary", { "logo.PNG": "", "lib.so": "", "data.sqlite": "" }],
  ["too-large", { "big.txt": "x".repeat(101) }],
  [
    "secret",
    {
      ".env": "",
      ".env.local": "",
      "prod.env": "",
      "server.pem": "",
      id_rsa: "",
      "id_ed25519.pub": "",
      "tls.key": "",
      "a.p12": "",
      "a.pfx": "",
      "a.keystore": "",
      kubeconfig: "",
      ".npmrc": "",
      ".netrc": "",
      ".pypirc": "",
      "prod.tfstate": "",
      "prod.tfstate.backup": "",
      "credentials.json": "",
      ".aws/credentials": "",
      "client_secret_1.json": "",
      "service-account.json": "",
      ".git-credentials": "",
      "ID_RSA.bak": "",
      ".kube/config": "",
      ".docker/config.json": "",
      ".ssh/known_hosts": "",
      ".env-prod": "",
      "secret.yaml": "",
      "app-firebase-adminsdk-1.json": "",
      "AuthKey.p8": "",
      ".bash_history": "",
      ssh_host_rsa_key: "",
    },
  ],
  [
    "generated",
    {
      "package-lock.json": "",
      "yarn.lock": "",
      "app.min.js": "",
      "app.js.map": "",
      "Cargo.lock": "",
      "go.sum": "",
    },
  ],
  [
    "dependency-folder",
    {
      node_modules: undefined,
      "a/.venv": undefined,
      "a/__pycache__": undefined,
      ".tox": undefined,
      ".mypy_cache": undefined,
      ".pytest_cache": undefined,
    },
  ],
] as const)(
  "entries are skipped as %s",
  (reason, names: Readonly<Record<string, string | undefined>>) => {
    const files = Object.entries(names).map(([name, text]): [string, string] =>
      text === undefined ? [`${name}/x.ts`, ""] : [name, text],
    );
    const root = folder({ ...Object.fromEntries<string>(files), "kept.ts": "" });
    expect(skipped(root, { maxFileBytes: 100 })).toEqual(
      Object.fromEntries(Object.keys(names).map((name) => [name, reason])),
    );
    expect(taken(root, { maxFileBytes: 100 })).toEqual(["kept.ts"]);
  },
);

test("templates of secret files are included", () => {
  const names = [
    ".env.example",
    ".env.sample",
    ".env.template",
    "credentials.example.json",
    "example.env",
  ];
  expect(taken(folder(Object.fromEntries(names.map((name) => [name, "A=\n"]))))).toEqual(
    names.toSorted(),
  );
});

test("every skip reason has one sentence", () => {
  for (const sentence of Object.values(SKIP_REASONS)) expect(sentence).toMatch(/^It[s ].*\.$/);
});

promise([10], "svc skips pipes and sockets without opening them", async () => {
  const root = folder({ "a.ts": "" });
  execFileSync("mkfifo", [join(root, "pipe.ts")]);
  const server = createServer().listen(join(root, "socket.ts"));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  expect(skipped(root)).toEqual({ "pipe.ts": "not-a-file", "socket.ts": "not-a-file" });
  return 2;
});

promise([10], "devices are skipped", () => {
  expect(skipped("/dev")).toMatchObject({ null: "not-a-file", zero: "not-a-file" });
  return 2;
});

promise(
  [10],
  "links to files, folders, parents, themselves and nothing are skipped and never followed",
  () => {
    const outside = folder({ "secret.ts": "", "sub/more.ts": "" });
    const root = folder({ "a/x.ts": "" });
    const links = {
      file: join(outside, "secret.ts"),
      out: outside,
      up: "..",
      "a/loop": ".",
      self: "self",
      none: "nowhere",
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
    const { files, skipped: left } = walk(root);
    expect(files.map(({ path }) => path)).toEqual(["a/x.ts"]);
    expect(left.map(({ path }) => path)).toEqual(Object.keys(links).toSorted());
    expect(new Set(left.map(({ reason }) => reason))).toEqual(new Set(["symbolic-link"]));
    return 6;
  },
);

promise(
  [11],
  "names that are not UTF-8 are accepted, with each invalid byte as one character",
  () => {
    const root = folder({ "ok-\uFFFD.ts": "", "é.ts": "", "-n.ts": "", "line\nbreak.ts": "" });
    const at = (...parts: readonly (string | number)[]): Buffer =>
      Buffer.concat([
        Buffer.from(`${root}/`),
        ...parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part))),
      ]);
    writeFileSync(at("bad-", 0xff, ".ts"), "12");
    mkdirSync(at("caf", 0xe9, "/sub"), { recursive: true });
    writeFileSync(at("caf", 0xe9, "/sub/plain.ts"), "");
    writeFileSync(at("caf", 0xe9, "/\u{10FFE9}.ts"), "");
    writeFileSync(at("caf", 0xe9, "/", 0xfe, ".png"), "");
    writeFileSync(at("caf", 0xe9, "/big", 0xfe), "x".repeat(101));
    symlinkSync("nowhere", at("caf", 0xe9, "/link", 0xfe));
    const { files, skipped: left, complete } = walk(root, { maxFileBytes: 100 });
    expect(files.map(({ path }) => path)).toEqual(
      [
        "-n.ts",
        "bad-\u{10FFFF}.ts",
        "caf\u{10FFE9}/sub/plain.ts",
        "caf\u{10FFE9}/\u{10FFF4}\u{10FF8F}\u{10FFBF}\u{10FFA9}.ts",
        "line\nbreak.ts",
        "ok-\uFFFD.ts",
        "é.ts",
      ].toSorted(),
    );
    expect(files[1]).toMatchObject({ path: "bad-\u{10FFFF}.ts", sizeBytes: 2 });
    expect(left).toEqual([
      { path: "caf\u{10FFE9}/big\u{10FFFE}", reason: "too-large" },
      { path: "caf\u{10FFE9}/link\u{10FFFE}", reason: "symbolic-link" },
      { path: "caf\u{10FFE9}/\u{10FFFE}.png", reason: "binary" },
    ]);
    expect(complete).toBe(true);
    return 11;
  },
);

test("a root whose name is not UTF-8 is walked", () => {
  const parent = folder();
  plantPaths(parent, { "r\u{10FFE9}/a.ts": "", "r\u{10FFE9}/b/\u{10FFFF}.ts": "" });
  expect(taken(join(parent, "r\u{10FFE9}"))).toEqual(["a.ts", "b/\u{10FFFF}.ts"]);
});

test("files are in the order of their full paths, whatever the names of their folders", () => {
  const name = fc.constantFrom(
    "a",
    "a-",
    "a.",
    "a!",
    "a0",
    "aa",
    "\uFF5E",
    "\u{1F600}",
    "\u{10FFE9}",
  );
  // Files end in `f` and folders do not, so no path is both.
  const path = fc
    .tuple(fc.array(name, { maxLength: 3 }), name)
    .map(([folders, last]) => [...folders, `${last}f`].join("/"));
  fc.assert(
    fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 20 }), (paths) => {
      const { path: root, dispose } = tree();
      try {
        plantPaths(root, Object.fromEntries(paths.map((one) => [one, ""])));
        expect(taken(root)).toEqual(paths.toSorted());
      } finally {
        dispose();
      }
    }),
    { numRuns: 200, seed: 20_261_121 },
  );
});

promise([11], "folders more than 255 deep are skipped", () => {
  const at255 = "d/".repeat(255);
  const root = folder({ [`${at255}kept.ts`]: "", [`${at255}d/lost.ts`]: "" });
  expect(taken(root)).toEqual([`${at255}kept.ts`]);
  expect(skipped(root)).toEqual({ [`${at255}d`]: "too-deep" });
  return 2;
});

promise([11], "paths longer than the system limit are skipped", () => {
  const root = folder({ "a.ts": "" });
  // Only relative steps can create such a path, and only a tool that takes such steps can remove it.
  onTestFinished(() => void execFileSync("rm", ["-rf", join(root, "n".repeat(200))]));
  const script = 'for i in $(seq 25); do mkdir "$1" && cd -P "$1" || exit 1; done';
  execFileSync("bash", ["-c", script, "bash", "n".repeat(200)], { cwd: root });
  const result = walk(root);
  expect(result.skipped.map(({ reason }) => reason)).toEqual(["too-deep"]);
  expect(result.complete).toBe(true);
  return 1;
});

promise(
  [12],
  "files without read permission are skipped as unreadable, and the rest is listed",
  () => {
    const root = folder({ "open/a.ts": "", "closed/b.ts": "", "unsearchable/c.ts": "" });
    chmodSync(root, 0o755);
    chmodSync(join(root, "closed"), 0);
    chmodSync(join(root, "unsearchable"), 0o744);
    onTestFinished(() => chmodSync(join(root, "closed"), 0o755));
    const script = `
    const { walk } = await import(${JSON.stringify(new URL("../../src/scan/walk.ts", import.meta.url).href)});
    const { files, skipped, complete } = walk(process.argv[1]);
    console.log(JSON.stringify({ files: files.map((file) => file.path), skipped, complete }));
  `;
    // Root may read everything, so the walk runs as `nobody`.
    const isRoot = process.getuid?.() === 0;
    const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "-e", script, root],
      { ...user, cwd: "/", encoding: "utf8" },
    );
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      files: ["open/a.ts"],
      skipped: [
        { path: "closed", reason: "unreadable" },
        { path: "unsearchable/c.ts", reason: "unreadable" },
      ],
      complete: true,
    });
    return 3;
  },
);

test("a root that is missing or not a folder is refused", () => {
  const root = folder({ "a.ts": "" });
  expect(() => walk(join(root, "nowhere"))).toThrow(
    expect.objectContaining({ code: "PATH_NOT_FOUND" }),
  );
  expect(() => walk(join(root, "a.ts"))).toThrow(
    expect.objectContaining({ code: "PATH_NOT_FOUND" }),
  );
});

/** Runs `change` when the walk enters the folder `a`, after its parent has been listed. */
function walkWhile(root: string, change: () => void): ReturnType<typeof walk> {
  let entered = 0;
  return walk(root, {
    signal: () => {
      if (++entered === 2) change();
      return false;
    },
  });
}

test("entries that vanish or change their kind during the walk are left out without an error", () => {
  const root = folder({
    "a/1.ts": "",
    "b/2.ts": "",
    "c.ts": "",
    "d.ts": "",
    "e.ts": "",
    "f/6.ts": "",
    "g.ts": "",
  });
  const outside = folder({ "secret.ts": "" });
  const {
    files,
    skipped: left,
    complete,
  } = walkWhile(root, () => {
    for (const name of ["a", "b", "f"]) rmSync(join(root, name), { recursive: true });
    for (const name of ["c.ts", "d.ts", "e.ts"]) unlinkSync(join(root, name));
    mkdirSync(join(root, "d.ts"));
    symlinkSync(join(outside, "secret.ts"), join(root, "e.ts"));
    plant(root, { f: "a file now" });
  });
  expect(files.map(({ path }) => path)).toEqual(["g.ts"]);
  expect(left).toEqual([{ path: "e.ts", reason: "symbolic-link" }]);
  expect(complete).toBe(true);
});

test("a pipe that replaced a file during the walk is skipped", () => {
  const root = folder({ "a/1.ts": "", "z.ts": "" });
  const result = walkWhile(root, () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    renameSync(join(root, "pipe"), join(root, "z.ts"));
  });
  expect(result.skipped).toEqual([{ path: "z.ts", reason: "not-a-file" }]);
});

promise([9], "a process that rewrites the tree continuously never makes a walk fail", async () => {
  const root = folder({ "still.ts": "" });
  const script = `
    import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
    process.on("message", () => process.disconnect());
    process.send("ready");
    const turn = (n) => {
      if (!process.connected) return;
      const path = process.argv[1] + "/" + (n % 7);
      rmSync(path, { recursive: true, force: true });
      if (n % 3 === 0) writeFileSync(path, "x");
      else if (n % 3 === 1) { mkdirSync(path + "/d", { recursive: true }); writeFileSync(path + "/d/f.ts", "x"); }
      else symlinkSync("/", path);
      setImmediate(turn, n + 1);
    };
    turn(0);
  `;
  const mutator = spawn(process.execPath, ["--input-type=module", "-e", script, root], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await new Promise((resolve) => mutator.once("message", resolve));
  for (let round = 0; round < 300; round++) expect(taken(root)).toContain("still.ts");
  const ended = new Promise((resolve) => mutator.once("exit", resolve));
  mutator.send("stop");
  expect(await ended).toBe(0);
  return 300;
});

test("the signal ends the walk, and the result is incomplete", () => {
  const root = folder({ "a/1.ts": "", "b/2.ts": "", "c/3.ts": "" });
  let calls = 0;
  const result = walk(root, { signal: () => ++calls > 2 });
  expect(result.complete).toBe(false);
  expect(result.files.map(({ path }) => path)).toEqual(["a/1.ts"]);
});
