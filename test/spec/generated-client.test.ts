// Other programs can use /openapi.json: a third-party generator makes a client from it, the compiler checks
// a program that uses the client, and the program calls the server.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect } from "vitest";

import { servedHere } from "./commands-here.ts";
import { verifies } from "./verifies.ts";

const served = servedHere({
  "docs/moon.md": "# Moon\n\nThe moon makes the tide.\n",
  "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n",
  "src/tide.ts": "export function turnTide(): void {}\n",
});

const MODULES = join(import.meta.dirname, "../../node_modules");
const GENERATE_MS = 120_000;

const USER = `
import { alive, defaults, ready, search } from "./client.ts";

const [, , url = "", key = ""] = process.argv;
defaults.baseUrl = url;
const opts = { headers: { "X-API-Key": key } };

const paths: string[] = [];
let cursor: string | undefined;
do {
  const page = await search({ query: "turn of the tide", limit: 1, ...(cursor === undefined ? {} : { cursor }) }, opts);
  if (page.status !== 200) throw new Error(String(page.status));
  paths.push(...page.data.results.map(({ path, start_line }) => \`\${path}:\${start_line}\`));
  cursor = page.data.next_cursor ?? undefined;
} while (cursor !== undefined);

const short = await search({ query: "ab" }, opts);
const stale = await search({ query: "turn of the tide", cursor: "none" }, opts);
const locked = await search({ query: "turn of the tide" });
console.log(JSON.stringify({
  paths,
  short: short.status === 400 ? [short.data.error.code, short.data.error.message, short.data.error.data.error_code] : short.status,
  stale: stale.status === 400 ? stale.data.error.data.error_code : stale.status,
  locked: locked.status === 401 ? [locked.data.error.code, locked.data.error.data.error_code] : locked.status,
  probes: [(await alive()).status, (await ready()).status],
}));
`;

let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "svc-client-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(MODULES, join(folder, "node_modules"), "junction");
  const document = await fetch(`${served().server.url}/openapi.json`);
  writeFileSync(join(folder, "openapi.json"), await document.text());
  run(join(MODULES, "oazapfts/dist/cli.js"), "openapi.json", "client.ts");
  writeFileSync(join(folder, "user.ts"), USER);
}, GENERATE_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(script: string, ...args: readonly string[]) {
  return spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: "utf8" });
}

/** Standard output. Throws with all output if it fails. */
function run(script: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = start(script, ...args);
  if (status !== 0) throw new Error(`${script} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** The errors of the compiler for each program; empty for one that is well typed. One run checks all of them. */
function problemsOf(files: readonly string[]): readonly string[] {
  const words = "--noEmit --strict --skipLibCheck --module nodenext --target es2024 --types node";
  const checked = [...words.split(" "), "--allowImportingTsExtensions", ...files];
  const { stdout } = start(join(MODULES, "typescript/bin/tsc"), ...checked);
  const problems = stdout.split(/^(?=\S)/m);
  const strangers = problems.filter((one) => !files.some((file) => one.startsWith(`${file}(`)));
  if (strangers.length > 0) throw new Error(strangers.join(""));
  return files.map((file) => problems.filter((one) => one.startsWith(`${file}(`)).join(""));
}

verifies(
  ["4.1/method-and-path", "4.1/headers", "1/keys-for-third-party-tools"],
  "a client generated from the document calls every endpoint, and reads every error",
  () => {
    const { server, key } = served();
    const { paths, ...refusals } = JSON.parse(run("user.ts", server.url, key));
    expect(paths.toSorted()).toEqual(["docs/moon.md:1", "docs/tides.md:1", "src/tide.ts:1"]);
    expect(refusals).toEqual({
      short: [-32_602, "Invalid params", "INVALID_QUERY"],
      stale: "INVALID_CURSOR",
      locked: [401, "UNAUTHENTICATED"],
      probes: [200, 200],
    });
  },
);

verifies("4.1/body", "its types take what the server takes, and refuse what it refuses", () => {
  const questions: readonly (readonly [question: string, problem: string])[] = [
    [`{ query: "tides", kind: ["docs", "code"], limit: 50 }`, ""],
    [`{}`, "'query' is missing"],
    [`{ query: 7 }`, "not assignable"],
    [`{ query: "tides", kind: "prose" }`, "not assignable"],
    [`{ query: "tides", repository: "other" }`, "repository"],
  ];
  const asked = questions.map(([question], at) => {
    const file = `asked-${at}.ts`;
    const text = `import { search } from "./client.ts";\nawait search(${question});\n`;
    writeFileSync(join(folder, file), text);
    return file;
  });
  const wanted = questions.map(([, problem]) =>
    problem === "" ? "" : expect.stringContaining(problem),
  );
  expect(problemsOf(["user.ts", ...asked])).toEqual(["", ...wanted]);
});
