import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  openSync,
  closeSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { SKIP_REASONS } from "../../src/scan/skip-reasons.ts";
import { bundledProgram } from "../helpers/bundled-program.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { createProject } from "../helpers/project.ts";
import { LOCAL } from "../helpers/rpc.ts";
import { plant, tree } from "../helpers/tree.ts";
import { oddFiles } from "./odd-files.ts";
import { randomFrom } from "./planted-secrets.ts";
import { promise, sized } from "./promise.ts";

const program = (name: string): string =>
  bundledProgram(join(import.meta.dirname, "fixtures", name));

/** A directory that is removed with the test. */
function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const { path } = tree(files);
  // Names that are too long for a path of the system are removed by relative steps.
  onTestFinished(() => void execFileSync("rm", ["-rf", path]));
  return path;
}

interface Indexed {
  readonly report: { readonly outcome: string; readonly added: number; readonly skipped: number };
  readonly status: {
    readonly files: number;
    readonly skipped: Readonly<Record<string, number>>;
    readonly skipped_files: readonly { readonly path: string; readonly reason: string }[];
  };
  readonly maxRssMiB: number;
}

interface How {
  /** Arguments before the program. */
  readonly within?: readonly string[];
  readonly uid?: number;
  readonly read?: readonly string[];
  /** Whether the test is about `maxRssMiB`: cached code would count on its first use, so there is none. */
  readonly isMeasured?: boolean;
}

/** The result of indexing a folder in a separate process. */
function indexed(
  root: string,
  { within = [], uid, read = [], isMeasured = false }: How = {},
): Indexed {
  const data = folder();
  if (uid !== undefined) chownSync(data, uid, uid);
  const [command = process.execPath, ...words] = [
    ...within,
    process.execPath,
    program("index-tree.ts"),
    root,
    data,
    ...read,
  ];
  const { NODE_COMPILE_CACHE: _cache, ...uncached } = process.env;
  const { stdout, stderr, status } = spawnSync(command, words, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    cwd: "/",
    env: isMeasured ? uncached : process.env,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  expect(status === 0 ? "" : stderr).toBe("");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the output of the program
  return JSON.parse(stdout) as Indexed;
}

function reasonsOf({ status }: Indexed): Readonly<Record<string, string>> {
  return Object.fromEntries(status.skipped_files.map(({ path, reason }) => [path, reason]));
}

const PLAIN = { "src/a.ts": "export const a = 1;\n", "docs/b.md": "# B\n" };
const ROOM_MIB = 100;

promise(
  [10],
  "pipes, sockets, devices, links and mounts that loop are listed and never entered",
  async () => {
    const outside = folder({ "secret.ts": "export const outsideCanary = 1;\n" });
    const root = folder(PLAIN);
    execFileSync("mkfifo", [join(root, "pipe.ts"), join(root, "src/pipe")]);
    const server = createServer().listen(join(root, "socket.ts"));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const links: Readonly<Record<string, string>> = {
      self: "self",
      "loop-a": "loop-b",
      "loop-b": "loop-a",
      up: "..",
      dot: ".",
      dangling: "nowhere",
      out: outside,
      "out.ts": join(outside, "secret.ts"),
      proc: "/proc",
      zero: "/dev/zero",
      random: "/dev/urandom",
      stdin: "/dev/stdin",
      kcore: "/proc/kcore",
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
    linkSync(join(root, "src/a.ts"), join(root, "src/hard.ts"));
    mkdirSync(join(root, "mounted"));
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      execFileSync("mknod", [join(root, "zero.ts"), "c", "1", "5"]);
      execFileSync("mknod", [join(root, "tty.ts"), "c", "5", "0"]);
    }
    // Only this process sees the mount, and it ends with the process.
    const mount = 'mount --rbind "$1" "$1/mounted" && shift && exec "$@"';
    const within = isRoot ? ["unshare", "--mount", "sh", "-c", mount, "sh", root] : [];
    const result = indexed(root, { within, read: ["src/a.ts"] });
    const reasons = reasonsOf(result);
    for (const name of Object.keys(links))
      expect([name, reasons[name]]).toEqual([name, "symbolic-link"]);
    for (const name of [
      "pipe.ts",
      "src/pipe",
      "socket.ts",
      ...(isRoot ? ["zero.ts", "tty.ts"] : []),
    ]) {
      expect([name, reasons[name]]).toEqual([name, "not-a-file"]);
    }
    // Also through the mount, which ends there; the hard link is an ordinary file.
    expect(result.status.files).toBe(isRoot ? 6 : 3);
    expect(result.report.outcome).toBe("done");
    return Object.keys(links).length + 7;
  },
);

promise(
  [11],
  "unusual names, contents and sizes are indexed or listed with a reason, in bounded memory",
  async () => {
    const root = folder(PLAIN);
    const plain = indexed(root, { read: ["src/a.ts"], isMeasured: true });
    const odd = oddFiles();
    plantPaths(
      root,
      Object.fromEntries(Object.entries(odd).map(([path, { content }]) => [path, content])),
    );
    const long = 'for i in $(seq 25); do mkdir "$1" && cd -P "$1" || exit 1; done; touch a.ts';
    execFileSync("bash", ["-c", long, "bash", "q".repeat(200)], { cwd: root });
    writeFileSync(join(root, "one-line.ts"), `x=${"1+".repeat(25 << 20)}1`);
    writeFileSync(join(root, "grown.txt"), "a line of it\n".repeat(300_000));
    closeSync(openSync(join(root, "sparse.ts"), "w"));
    truncateSync(join(root, "sparse.ts"), 2 ** 31 + 4096);
    const large = ["one-line.ts", "sparse.ts", "grown.txt"];
    const paths = Object.keys(odd).filter((path) => path.length < 4000);
    const result = indexed(root, { read: [...paths, ...large], isMeasured: true });
    const reasons = reasonsOf(result);
    for (const name of large) expect(reasons[name]).toBe("too-large");
    const here = createProject({}, { onDisk: true, workspace: () => root });
    try {
      await here.tool("index_source", { source: root });
      const found = await here.tool("search_text", {
        pattern: "oddNeedle",
        output: "files",
        limit: 500,
      });
      for (const [path, { is }] of Object.entries(odd)) {
        const top = is === "too-deep" ? path.slice(0, path.lastIndexOf("/")) : path;
        if (is === "text") expect(`${found.text}\n`).toContain(`${path}: `);
        else if (is !== "any") expect([path, reasons[top]]).toEqual([path, is]);
        if (reasons[top] !== undefined) expect(Object.keys(SKIP_REASONS)).toContain(reasons[top]);
      }
    } finally {
      await here.dispose();
    }
    expect(Object.values(reasons).filter((reason) => reason === "too-deep")).toHaveLength(2);
    expect(result.report.outcome).toBe("done");
    expect(result.maxRssMiB).toBeLessThan(plain.maxRssMiB + ROOM_MIB);
    return Object.keys(odd).length + large.length + 1;
  },
);

promise([12], "files without read permission are listed as such, and the rest is indexed", () => {
  const root = folder({
    ...PLAIN,
    "closed/a.ts": "",
    "src/b.ts": "",
    "half/c.ts": "",
    "half/d/e.ts": "",
  });
  chmodSync(root, 0o755);
  chmodSync(join(root, "closed"), 0);
  chmodSync(join(root, "src/b.ts"), 0);
  chmodSync(join(root, "half"), 0o744);
  onTestFinished(() => chmodSync(join(root, "closed"), 0o755));
  // Root can read everything, so the indexer runs as nobody.
  const result = indexed(root, process.getuid?.() === 0 ? { uid: 65_534 } : {});
  expect(reasonsOf(result)).toEqual({
    closed: "unreadable",
    "src/b.ts": "unreadable",
    "half/c.ts": "unreadable",
    "half/d": "unreadable",
  });
  expect(result.status.files).toBe(2);
  expect(result.report.outcome).toBe("done");
  return 4;
});

/** Creates, rewrites, cuts, removes and replaces files below a folder, until it is stopped. */
const MUTATOR = `
  import { appendFileSync, mkdirSync, rmSync, renameSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
  const [root, seed] = process.argv.slice(1);
  let state = Number(seed);
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  process.on("message", () => process.disconnect());
  process.send("ready");
  const acts = [
    (path) => writeFileSync(path, "export function made" + random(1000) + "() {}\\n".repeat(random(400))),
    (path) => appendFileSync(path, "more " + random(1000) + "\\n"),
    (path) => truncateSync(path, random(200)),
    (path) => rmSync(path, { recursive: true, force: true }),
    (path) => mkdirSync(path + "/deep" + random(3), { recursive: true }),
    (path) => writeFileSync(path + "/inner" + random(5) + ".ts", "inner\\n"),
    (path) => symlinkSync("/etc", path),
    (path) => renameSync(path, root + "/f" + random(40) + ".ts"),
    (path) => writeFileSync(path, Buffer.alloc(random(1500000), 97)),
  ];
  const turn = () => {
    if (!process.connected) return;
    for (let n = 0; n < 10; n++) try { acts[random(acts.length)](root + "/f" + random(40) + ".ts"); } catch {}
    setTimeout(turn, random(4));
  };
  turn();
`;

async function startMutator(root: string, seed: number): Promise<ChildProcess> {
  const mutator = spawn(
    process.execPath,
    ["--input-type=module", "-e", MUTATOR, root, String(seed)],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  await new Promise((resolve) => mutator.once("message", resolve));
  return mutator;
}

async function stop(mutator: ChildProcess): Promise<void> {
  const end = new Promise((resolve) => mutator.once("exit", resolve));
  mutator.send("stop");
  await end;
}

promise(
  [9],
  "files that change, vanish and become folders during a run do no harm, and one more run indexes them all",
  async () => {
    const next = randomFrom(9);
    const root = folder({ "still.ts": "export const still = 1;\n" });
    for (let at = 0; at < 40; at += 1)
      plant(root, { [`f${at}.ts`]: `export const f${at} = ${next()};\n` });
    const here = createProject({}, { onDisk: true, workspace: () => root });
    const fresh = createProject({}, { onDisk: true, workspace: () => root });
    const mutators = await Promise.all(
      [1, 2, 3, 4, 5].map((seed) => startMutator(root, seed * 7919)),
    );
    const passes = sized({ quick: 3, full: 53, soak: 320 });
    try {
      try {
        for (let pass = 0; pass < passes; pass += 1) {
          // On a busy machine the first run may take longer than a call waits.
          while (!(await here.tool("index_source", { source: root })).text.includes('"done":true'));
          const { text } = await here.tool("search_text", { pattern: "still = 1" });
          expect(text).toContain("still.ts");
          await here.tool("search_context", { query: "made inner still" });
          await here.tool("read_context", { targets: ["still.ts"] });
          // A link to /etc, for example: refused as a link, without another error.
          const changing = here.tool("read_context", { targets: ["still.ts", "f1.ts", "f2.ts"] });
          await changing.catch((thrown: unknown) => expect(thrown).toBeInstanceOf(SvcError));
        }
      } finally {
        await Promise.all(mutators.map(stop));
      }
      const states: string[] = [];
      for (const one of [here, fresh]) {
        await one.tool("index_source", { source: root });
        const [status] = await one.engine.status({
          principal: LOCAL,
          signal: new AbortController().signal,
          detail: "skipped",
        });
        const { files, bytes, symbols, skipped, skipped_files: left } = status ?? {};
        const found = await one.tool("search_text", {
          pattern: ".",
          regex: true,
          output: "files",
          limit: 500,
        });
        const outline = await one.tool("outline", { max_tokens: 20_000, depth: 20 });
        states.push(
          JSON.stringify(
            [files, bytes, symbols, skipped, left, found.text, outline.text],
            undefined,
            1,
          ),
        );
      }
      expect(states[0]).toBe(states[1]);
      return passes;
    } finally {
      await here.dispose();
      await fresh.dispose();
    }
  },
);

promise([13], "a walk over very many tiny files has bounded memory", () => {
  const count = sized({ quick: 5000, full: 200_000, soak: 1_000_000 });
  const root = folder();
  const result = spawnSync("python3", ["-c", MAKE_TINY, root, String(count)], { encoding: "utf8" });
  expect(result.status === 0 ? "" : result.stderr).toBe("");
  const walked = spawnSync(process.execPath, [program("walk-tree.ts"), root], { encoding: "utf8" });
  expect(walked.status === 0 ? "" : walked.stderr).toBe("");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the output of the program
  const { files, complete, maxRssMiB } = JSON.parse(walked.stdout) as Record<
    string,
    number | boolean
  >;
  expect({ files, complete }).toEqual({ files: count, complete: true });
  expect(maxRssMiB).toBeLessThan(400);
  return count;
});

const MAKE_TINY = `
import os, sys
root, count = sys.argv[1], int(sys.argv[2])
for at in range(count):
    folder = f"{root}/d{at // 500}"
    if at % 500 == 0: os.mkdir(folder)
    os.close(os.open(f"{folder}/f{at}.ts", os.O_CREAT | os.O_WRONLY))
`;

promise([13], "if the system allows no more watches, svc polls the files and reports it", () => {
  const root = folder(
    Object.fromEntries(
      Array.from({ length: 60 }, (_none, at) => [`d${at}/a.ts`, "export const a = 1;\n"]),
    ),
  );
  // A limit for one process: that of its user namespace.
  const limit = 'echo 20 > /proc/sys/user/max_inotify_watches && exec "$@"';
  const within = ["--user", "--map-root-user", "sh", "-c", limit, "sh"];
  const watching = [process.execPath, program("watch-tree.ts"), root, folder()];
  const { stdout, stderr, status } = spawnSync("unshare", [...within, ...watching], {
    encoding: "utf8",
  });
  expect(status === 0 ? "" : stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    mode: "polled",
    problem: expect.stringContaining("max_user_watches"),
    warnings: ["files cannot be watched; they are checked periodically"],
    isFound: true,
  });
  return 60;
});
