// The shipped program as a person uses it at a shell.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { createPlace, svc, type Place, type Run } from "../spec/program.ts";

const SVC = join(import.meta.dirname, "../../dist/svc");
process.env["SVC_BIN"] = SVC;

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

const place = createPlace({
  "src/orbit.ts":
    "/** Radius at which a satellite keeps its place over the ground. */\n" +
    "export function geostationaryRadius(mass: number): number {\n  return mass;\n}\n",
  // Enough results to fill the buffer of a pipe, which holds 64 KiB.
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `docs/comet-${at}.md`,
      `# Comet ${at}\n\n${`The tail of comet ${at} points away from the sun. `.repeat(40)}\n`,
    ]),
  ),
});
beforeAll(async () => {
  const { exit, stderr } = await call("index");
  if (exit !== 0) throw new Error(stderr);
});
afterAll(place.remove);

/** The output for these words: the program at a terminal that shows links. */
function atTerminal(...words: readonly string[]): { exit: number | null; shown: string } {
  const line = words.map((word) => `'${word}'`).join(" ");
  const { status, stdout } = spawnSync("script", ["-qec", `${SVC} ${line}`, "/dev/null"], {
    cwd: place.root,
    env: { ...surroundings(place.home), TERM: "xterm-kitty" },
    input: "",
    encoding: "utf8",
  });
  return { exit: status, shown: stdout.replaceAll("\r\n", "\n") };
}

function surroundings(home: string): Record<string, string | undefined> {
  return { PATH: process.env["PATH"], HOME: home, SERVICE_HOME: join(home, "data") };
}

function call(...args: readonly string[]): Promise<Run> {
  return svc(place, ...args);
}

/** Runs it as a user other than root, because no file mode stops root. */
function callAsUser(...args: readonly string[]): { exit: number | null; stderr: string } {
  const home = join(place.home, "nobody");
  mkdirSync(home, { recursive: true });
  const [program = SVC, ...before] = isRoot
    ? ["setpriv", "--reuid", String(NOBODY), "--clear-groups", SVC]
    : [SVC];
  if (isRoot) for (const folder of [join(place.root, ".."), home]) chownSync(folder, NOBODY, -1);
  const { status, stderr } = spawnSync(program, [...before, ...args], {
    cwd: home,
    env: surroundings(home),
    encoding: "utf8",
  });
  return { exit: status, stderr };
}

test("--version prints only 0.8.0", async () => {
  expect(await call("--version")).toEqual({ stdout: "0.8.0\n", stderr: "", exit: 0 });
});

test("--help lists every command on standard output", async () => {
  const { stdout, stderr, exit } = await call("--help");
  expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
  expect(stdout).toMatch(/^svc 0\.8\.0\. /);
  for (const name of ["search", "index", "status", "mcp", "auth"]) {
    expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  }
});

test("an unknown flag is refused with the nearest one named", async () => {
  expect(await call("search", "comet tail", "--limt", "3")).toMatchInlineSnapshot(`
    {
      "exit": 2,
      "stderr": "svc: There is no flag --limt.
    Did you mean --limit?
    Usage: svc search [QUERY] [PATH] [flags]
    ",
      "stdout": "",
    }
  `);
});

test("an unknown command is refused with the nearest one named", async () => {
  expect(await call("serch", "comet tail")).toMatchInlineSnapshot(`
    {
      "exit": 2,
      "stderr": "svc: There is no command "svc serch".
    Did you mean \`svc search\`?
    Usage: svc COMMAND [flags]
    ",
      "stdout": "",
    }
  `);
});

test("a missing argument is named", async () => {
  expect(await call("search")).toMatchInlineSnapshot(`
    {
      "exit": 2,
      "stderr": "svc: QUERY is missing.
    For example: svc search "where are tokens revoked"
    Usage: svc search [QUERY] [PATH] [flags]
    ",
      "stdout": "",
    }
  `);
});

const UNQUOTED = ', or quote the query: svc search "comet tail no-such-folder"\n';

test.each([
  { words: ["index"], what: "directory", hint: ".\n" },
  { words: ["search", "comet tail"], what: "file or folder", hint: UNQUOTED },
])("a path that does not exist is refused: $words", async ({ words, what, hint }) => {
  const { stdout, stderr, exit } = await call(...words, "no-such-folder");
  expect(stderr).toBe(
    'svc: "no-such-folder" does not exist or cannot be read.\n' +
      `Name an existing ${what} that you may read${hint}`,
  );
  expect({ stdout, exit }).toEqual({ stdout: "", exit: 2 });
});

test("a folder that may not be read is refused", () => {
  const folder = join(place.home, "locked");
  mkdirSync(folder);
  chmodSync(folder, 0);
  const { stderr, exit } = callAsUser("index", folder);
  expect(stderr).toContain("does not exist or cannot be read");
  expect(exit).toBe(2);
});

test("an unreadable folder inside is skipped and counted, and the rest is indexed", () => {
  const project = join(place.home, "partly");
  mkdirSync(join(project, "locked"), { recursive: true });
  writeFileSync(join(project, "open.md"), "# Open\n\nEverybody may read this.\n");
  chmodSync(join(project, "locked"), 0);
  expect(callAsUser("index", project)).toEqual({ exit: 0, stderr: "" });
  const { stderr, exit } = callAsUser("search", "everybody may read", project);
  expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
});

test("a query that is too long is refused in a sentence", async () => {
  expect(await call("search", "x".repeat(10_001))).toMatchInlineSnapshot(`
    {
      "exit": 2,
      "stderr": "svc: QUERY: must be up to 10,000 characters long.
    ",
      "stdout": "",
    }
  `);
});

test("a question comes from a pipe", () => {
  for (const words of [["search", "-"], ["search"], ["symbols", "-"]]) {
    const { status, stdout } = spawnSync(SVC, [...words, "--limit", "1"], {
      cwd: place.root,
      env: surroundings(place.home),
      input: "geostationaryRadius\n",
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stdout).toContain("src/orbit.ts:");
  }
});

test("with --json a refusal is an object on standard error", async () => {
  const { stdout, stderr, exit } = await call("search", "comet", "nowhere", "--json");
  expect({ stdout, exit }).toEqual({ stdout: "", exit: 2 });
  expect(JSON.parse(stderr)).toMatchInlineSnapshot(`
    {
      "error": {
        "error_code": "PATH_NOT_FOUND",
        "exit_code": 2,
        "hint": "Name an existing file or folder that you may read, or quote the query: svc search "comet nowhere"",
        "message": ""nowhere" does not exist or cannot be read.",
      },
    }
  `);
});

test("a search without results ends with 1 and suggests what to try", async () => {
  expect(await call("search", "zzqqxxyy")).toMatchInlineSnapshot(`
    {
      "exit": 1,
      "stderr": "No results in "project". Try other words or fewer filters.
    ",
      "stdout": "",
    }
  `);
});

test("a corrected word is reported in addition to the answer", async () => {
  const { exit, stdout, stderr } = await call("search", "radius of a satelilte");
  expect({ exit, stderr }).toEqual({
    exit: 0,
    stderr: 'No match for "satelilte"; searched for "satellite".\n',
  });
  expect(stdout).toMatch(/^src\/orbit\.ts:1-4 {2}geostationaryRadius\n/);
});

test("an answer is plain text if standard output is not a terminal", async () => {
  const { stdout, stderr, exit } = await call("search", "geostationary radius", "--limit", "1");
  expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
  expect(stdout).toMatchInlineSnapshot(`
    "src/orbit.ts:1-4  geostationaryRadius
      /** Radius at which a satellite keeps its place over the ground. */
      export function geostationaryRadius(mass: number): number {
        return mass;
      }
    "
  `);
  expect(stdout).not.toContain("\u001b");
});

test("a reader that leaves early, as head does, is not a failure", () => {
  const status = join(place.home, "status");
  const script =
    '{ "$0" search "comet tail" -n 50 --max-tokens 20000; echo $? >"$1"; } | head -n 1';
  const shell = spawnSync("sh", ["-c", script, SVC, status], {
    cwd: place.root,
    env: surroundings(place.home),
    encoding: "utf8",
  });
  expect(shell.stdout).toMatch(/^docs\/comet-\d+\.md:\d+-\d+.*\n$/);
  expect(shell.stderr).toBe("");
  expect(readFileSync(status, "utf8")).toBe("0\n");
});

test("on a terminal locations are coloured links to their files", () => {
  const address = pathToFileURL(join(realpathSync(place.root), "src/orbit.ts")).pathname;
  const link = (text: string) =>
    `\u001b]8;;file://${hostname()}${address}\u001b\\${text}\u001b]8;;\u001b\\`;
  const path = "\u001b[35msrc/orbit.ts\u001b[39m";
  const search = atTerminal("search", "geostationary radius", "--limit", "1");
  const lines = link(`${path}:\u001b[32m1-4\u001b[39m`);
  expect(search.shown).toContain(`${lines}  \u001b[1mgeostationaryRadius\u001b[22m\n`);
  const grep = atTerminal("grep", "return mass");
  expect(grep.shown).toContain(
    `${link(path)}\n\u001b[32m3\u001b[39m:  return mass;  \u001b[2m[geostationaryRadius]`,
  );
  const files = atTerminal("grep", "-l", "return mass");
  expect(files.shown).toContain(`${link(path)}\n`);
  expect([search.exit, grep.exit, files.exit]).toEqual([0, 0, 0]);
});

test.each(["search", "grep"])("%s --color says otherwise", async (name) => {
  const words = [name, "geostationaryRadius", "--path", "src/**", "--color"];
  // A progress bar, if the machine is slow enough for one, is not a result.
  const { shown } = atTerminal(...words, "never");
  for (const colour of ["\u001b[32m", "\u001b[35m"]) expect(shown).not.toContain(colour);
  const piped = await call(...words, "always");
  expect(piped.stdout.startsWith("\u001b[35msrc/orbit.ts\u001b[39m:\u001b[32m")).toBe(true);
  expect(piped.stdout).not.toContain("\u001b]8");
  const plain = await call(...words, "auto");
  expect(plain.stdout).not.toContain("\u001b");
  expect(plain.stdout).toBe(stripVTControlCharacters(piped.stdout));
});

test("a data directory that cannot be written is an error with its fix", () => {
  // A separate machine, because the test gives the other one to another user.
  const here = createPlace({ "a.md": "# A\n" });
  onTestFinished(here.remove);
  const data = join(here.home, "data");
  mkdirSync(data);
  const remedy =
    "The data directory cannot be written.\n" +
    "Run `svc doctor` to find the cause, or set SERVICE_HOME to another directory.\n";
  const refuses = { exit: 2, stderr: expect.stringMatching(new RegExp(`svc: ${remedy}$`)) };
  chmodSync(data, 0o500);
  for (const command of ["index", "status"]) {
    expect(withoutWriting(here, command)).toEqual(refuses);
  }
  chmodSync(data, 0o700);
  indexInto(here);
  chmodSync(data, 0o500);
  expect(withoutWriting(here, "index")).toEqual(refuses);
  const reads = { exit: 0, stderr: expect.stringContaining("the data directory can only be read") };
  expect(withoutWriting(here, "status")).toEqual(reads);
  chmodSync(data, 0o700);
});

test("a place that cannot hold credentials is named, with the fix", () => {
  for (const kind of ["keys", "token"]) {
    const words = ["auth", kind, "create", "--name", "a", "--namespace", "moon"];
    // Nobody can create folders there, not even root.
    const { status, stderr } = spawnSync(SVC, words, {
      cwd: place.root,
      env: { ...surroundings(place.home), SERVICE_HOME: "/sys/svc" },
      encoding: "utf8",
    });
    expect({ status, stderr: stderr.split("\n") }).toEqual({
      status: 2,
      stderr: [
        'svc: There is no namespace "moon" yet; the credential works once it is indexed.',
        "svc: The credential store cannot be opened.",
        expect.stringMatching(
          /^The system says: E[A-Z]+: .*'\/sys\/svc.*'\. Check who owns that place, or choose another with SERVICE_HOME and SERVICE_CONFIG_HOME\.$/,
        ),
        "",
      ],
    });
  }
});

test.each([
  ["--verify", "--rebuild"],
  ["--remove", "--watch"],
])("svc index %s %s is refused: it can do one of them", async (first, second) => {
  expect(await call("index", second, first)).toEqual({
    exit: 2,
    stdout: "",
    stderr: `svc: ${second} cannot be used with ${first}.\nRun one after the other.\nUsage: svc index [PATH] [flags]\n`,
  });
});

function indexInto({ root, home }: Place): void {
  const options = { cwd: root, env: surroundings(home) };
  if (spawnSync(SVC, ["index"], options).status !== 0) throw new Error("index failed");
  for (const name of readdirSync(join(home, "data"))) {
    if (name.startsWith("registry.db")) chmodSync(join(home, "data", name), 0o400);
  }
}

/** Modes of files hold for root only without these capabilities. */
function withoutWriting(
  { root, home }: Place,
  command: string,
): { exit: number | null; stderr: string } {
  const through = isRoot ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];
  const options = { cwd: root, env: surroundings(home), encoding: "utf8" } as const;
  const { status, stderr } = spawnSync("env", [...through, SVC, command], options);
  return { exit: status, stderr };
}
