import { join } from "node:path";

import { afterAll, expect, onTestFinished, test } from "vitest";

import { createMachine, type CliRun } from "../../helpers/cli.ts";
import { plant } from "../../helpers/tree.ts";

const ESCAPE = "\u001b";
const here = createMachine({
  "src/tokens.ts":
    "/** Revokes an access token. */\nexport function revokeToken(id: string): void {\n  store.delete(id);\n}\n",
  "docs/tokens.md": "# Tokens\n\nHow to revoke one.\n",
  "evil.md": `Harmless${ESCAPE}[2J ${ESCAPE}]0;title\u0007wombat\u202etext\n`,
});
afterAll(() => here.dispose());

function call(...words: readonly string[]): Promise<CliRun> {
  return here.svc("search", ...words);
}

test("passages are printed under their location, and the exit code is 0", async () => {
  const { code, out, err } = await call("revokeToken");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(
    /^src\/tokens\.ts:1-4 {2}revokeToken\n {2}\/\*\* Revokes an access token\. \*\/\n {2}export function revokeToken/,
  );
});

test("a query of two letters has results", async () => {
  const { code, out } = await call("id", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ query: "id", results: [{ path: "src/tokens.ts" }] });
});

test.each([["-"], []])("the query comes from standard input: %j", async (...words) => {
  const { code, out } = await here.piped("revokeToken\n", "search", ...words);
  expect(code).toBe(0);
  expect(out).toMatch(/^src\/tokens\.ts:1-4 {2}revokeToken\n/);
});

test("no result is exit code 1, with a message on standard error", async () => {
  expect(await call("qqqqq zzzzz")).toEqual({
    code: 1,
    out: "",
    err: 'No results in "project". Try other words or fewer filters.\n',
  });
});

test("--json has the shape of /v1/search", async () => {
  const { code, out } = await call("revokeToken", "--json", "--limit", "1");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    query: "revokeToken",
    namespace: "project",
    generation: 1,
    results: [
      {
        path: "src/tokens.ts",
        start_line: 1,
        end_line: 4,
        language: "typescript",
        kind: "code",
        symbol: "revokeToken",
        score: expect.any(Number),
        confidence: expect.any(Number),
        text: expect.stringContaining("store.delete(id);"),
      },
    ],
    next_cursor: expect.any(String),
    took_ms: expect.any(Number),
    confidence: expect.any(Number),
  });
});

test("--json without results is an empty list and exit code 1", async () => {
  const { code, out } = await call("qqqqq zzzzz", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ results: [], next_cursor: null });
});

test("--explain says in words why a passage is a result", async () => {
  const { out } = await call("revoke a token", "--explain");
  expect(out).toMatch(
    /^src\/tokens\.ts:1-4 {2}revokeToken\n {2}relevance \d+: its names have every word; its text has every word; its path has 1 of 2 words \(token\)\n/,
  );
});

test("--explain --json has the parts of each score", async () => {
  const { out } = await call("revokeToken", "--explain", "--json");
  const [best] = JSON.parse(out).results;
  const sum = Object.values<number>(best.signals).reduce((total, value) => total + value, 0);
  // Negligible parts are left out.
  expect(Math.abs(sum - best.score)).toBeLessThan(0.02);
  expect(best).toMatchObject({
    relevance: expect.any(Number),
    matches: { words: ["revokeToken"], in_names: ["revokeToken"] },
  });
});

test("-l prints each path once, -0 ends it with a zero byte", async () => {
  expect((await call("revoke a token", "-l")).out).toBe("src/tokens.ts\ndocs/tokens.md\n");
  expect((await call("revoke a token", "-l0")).out).toBe("src/tokens.ts\0docs/tokens.md\0");
});

test("--format and --jsonl print results one by one", async () => {
  const { out } = await call(
    "revokeToken",
    "-n",
    "1",
    "--format",
    "{path}:{line}:{column}: {text}",
  );
  expect(out).toBe("src/tokens.ts:1:1: /** Revokes an access token. */\n");
  const lines = (await call("revoke a token", "--jsonl")).out.trimEnd().split("\n");
  const { results } = JSON.parse((await call("revoke a token", "--json")).out);
  expect(lines.map((line) => JSON.parse(line))).toEqual(results);
});

test("filters narrow the results", async () => {
  expect((await call("revoke", "--kind", "docs")).out).toMatch(/^docs\/tokens\.md:/);
  expect((await call("revoke", "--path", "src/")).out).not.toMatch(/docs/);
  expect((await call("revoke", "--language", "python")).code).toBe(1);
});

test("escape sequences in a file never reach the terminal", async () => {
  const { out } = await call("wombat");
  expect(out).toContain("wombattext");
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

function locations(text: string): readonly string[] {
  return text.split("\n").filter((line) => line.startsWith("bird"));
}

test("on a terminal the results fit the window, the best ones with their lines", async () => {
  const sections = Array.from(
    { length: 9 },
    (_, at) => `# Kestrel ${at}\n\n${`The kestrel hovers at ${at} metres.\n`.repeat(8)}`,
  );
  const birds = createMachine(
    Object.fromEntries(sections.map((text, at): [string, string] => [`bird${at}.md`, text])),
  );
  onTestFinished(birds.dispose);
  const words = ["search", "where does the kestrel hover", "--max-tokens", "4000"] as const;
  const whole = (await birds.svc(...words)).out;
  const size = { columns: 80, rows: 24 };
  const { out, err } = await birds.onTerminal(size, ...words);
  const lines = out.trimEnd().split("\n");
  expect(whole.trimEnd().split("\n").length).toBeGreaterThan(24);
  expect(lines.length).toBeLessThanOrEqual(22);
  expect(whole.startsWith(lines.slice(0, 6).join("\n"))).toBe(true);
  expect(locations(out)).toEqual(locations(whole));
  expect(err).toBe("--full shows every line.\n");
  expect(await birds.onTerminal(size, ...words, "--full")).toMatchObject({ out: whole, err: "" });
  const narrow = await birds.onTerminal({ columns: 20, rows: 16 }, ...words);
  const rows = narrow.out
    .trimEnd()
    .split("\n")
    .reduce((sum, line) => sum + Math.ceil(Math.max(1, line.length) / 20), 0);
  expect(narrow.out).toMatch(/^bird\d\.md:/);
  expect(rows).toBeLessThanOrEqual(14);
});

test("an answer at a shell is always up to date", async () => {
  plant(here.root, { "new.md": "A numbat appears.\n" });
  expect((await call("numbat")).out).toMatch(/^new\.md:1-1/);
  plant(here.root, { "new.md": "A quokka appears.\n" });
  expect((await call("numbat")).code).toBe(1);
});

test("PATH names another project, which is indexed first", async () => {
  const other = join(here.home, "other");
  plant(other, { "a.md": "The echidna digs.\n" });
  const place = `${other}/a.md:1-1`;
  expect((await call("echidna", other)).out).toContain(place);
  expect((await call("echidna")).code).toBe(1);
  expect((await call("echidna", "--namespace", "other")).out).toContain(place);
});

test("the home directory is refused with how a project is named at a shell", async () => {
  expect(await call("revokeToken", here.home)).toEqual({
    code: 2,
    out: "",
    err:
      `svc: ${here.home} is a home directory, which svc does not index as a whole.\n` +
      "Change to a project folder, or name one: `svc search QUERY DIR`, `svc mcp --stdio --root DIR`.\n",
  });
});

test.each<[string[], RegExp]>([
  [["x".repeat(10_001)], /up to 10,000 characters/],
  [["revoke", "nowhere"], /"nowhere" does not exist/],
  [["revoke", "--namespace", "nothing"], /no namespace "nothing"/],
  [["revoke", "--limit", "51"], /--limit.*50/],
  [["revoke", "--kind", "code,doks"], /docs/],
  [["revoke", "/"], /the root of the file system/],
  [[], /query/i],
])("%j exits with 2 and reports the problem", async (words, said) => {
  const { code, out, err } = await call(...words);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(said);
});

test.each([
  ["search", "routing"],
  ["grep", "rou ting"],
])("%s with an unquoted query suggests quotes", async (command, first) => {
  const machine = createMachine({ "a.md": "one\n" });
  onTestFinished(machine.dispose);
  const { code, err } = await machine.svc(command, first, "works");
  expect(code).toBe(2);
  expect(err).toContain(`"works" does not exist or cannot be read.`);
  expect(err).toContain(`quote the query: svc ${command} "${first} works"`);
  const slash = await machine.svc(command, first, "./works");
  expect(slash.err).not.toContain("quotes");
});

test("--format and -l report that nothing was found", async () => {
  for (const flags of [["--format", "{path}"], ["-l"]]) {
    const none = await call("qqqqq zzzzz", ...flags);
    expect([none.code, none.out, none.err]).toEqual([1, "", expect.stringContaining("No results")]);
  }
  expect((await call("qqqqq zzzzz", "--jsonl")).err).toBe("");
});
