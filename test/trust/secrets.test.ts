import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "vitest";

import { searchRecord } from "../../src/tools/search/search-record.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { createMachine } from "../helpers/cli.ts";
import { createProject, request, type Project } from "../helpers/project.ts";
import { piecesOf, plantedSecrets, type PlantedSecret } from "./planted-secrets.ts";
import { promise, sized } from "./promise.ts";

const FOLDERS = ["src/mailer", "src/billing", "docs", "config", "tests"];
const ENDINGS = ["ts", "py", "md", "yaml", "go", "txt"];

interface Planted {
  readonly secrets: readonly PlantedSecret[];
  readonly files: Readonly<Record<string, string>>;
}

/** Files with ten secrets each, among lines by which a search finds them. */
function planted(): Planted {
  const secrets = plantedSecrets(sized({ quick: 200, full: 1000 }), 33);
  const files: Record<string, string> = {};
  for (let from = 0; from < secrets.length; from += 10) {
    const part = secrets.slice(from, from + 10);
    const number = from / 10;
    const ending = ENDINGS[number % ENDINGS.length] ?? "ts";
    const path = `${FOLDERS[number % FOLDERS.length]}/settings${number}.${ending}`;
    files[path] =
      `${part.map(({ line }, at) => around(ending, number * 10 + at, line)).join("\n")}\n`;
  }
  // A name that is a secret, as a heading and as a definition: the index has them by their names.
  const [name, heading, file] = plantedSecrets(3, 34).map(({ value }) => value);
  files["src/named.ts"] = `export function ${name}() { return 1; }\nexport const a = ${name}();\n`;
  files["docs/named.md"] = `# Rotate ${heading}\n\nHow the mailer gets its settings.\n`;
  files[`docs/${file}.md`] = "# A file of settings\n\nIts name is a mistake.\n";
  return { secrets: [...secrets, ...plantedSecrets(3, 34)], files };
}

function around(ending: string, number: number, line: string): string {
  if (ending === "ts")
    return `/** Settings of mailer ${number}. */\nexport function connect${number}() {\n${line}\n}`;
  if (ending === "py") return `def connect${number}():\n    """Settings of mailer."""\n${line}\n`;
  if (ending === "md") return `## Settings ${number}\n\nHow the mailer connects.\n\n${line}\n`;
  if (ending === "go") return `// Settings of mailer.\nfunc Connect${number}() {\n${line}\n}`;
  return `# settings of mailer ${number}\n${line}`;
}

/** The secrets that the answers contain. */
class Leaks {
  readonly #pieces: readonly (readonly [piece: string, secret: PlantedSecret])[];
  readonly found: string[] = [];

  constructor(secrets: readonly PlantedSecret[]) {
    this.#pieces = secrets.flatMap((one) => piecesOf(one).map((piece) => [piece, one] as const));
  }

  look(where: string, answer: unknown): void {
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    for (const [piece, { kind, line }] of this.#pieces) {
      if (text.includes(piece)) this.found.push(`${kind} in ${where}: ${line.slice(0, 120)}`);
    }
  }
}

/** Patterns of an attacker who wants them, and patterns that match everything around them. */
const PROBES = [
  "ghp_[A-Za-z0-9]{36}",
  "AKIA[A-Z0-9]{16}",
  "(ghs|github_pat)_[A-Za-z0-9]+",
  "glpat-.*",
  "xoxb-[0-9]+",
  "sk_live_[a-zA-Z0-9]",
  "npm_[a-zA-Z0-9]{36}",
  "AIza.{35}",
  "GOCSPX-\\w+",
  "sk-(ant|proj)-\\w+",
  "SG\\.\\w{22}",
  "pypi-AgE\\w+",
  "dop_v1_[0-9a-f]{64}",
  "eyJ[\\w-]+\\.eyJ",
  "sv[kt]_\\w{38}",
  "^[A-Za-z0-9+/]{64}$",
  "://[^:]*:[a-z0-9]{3}[A-Za-z0-9]{3,}@",
  "Bearer [A-Za-z0-9]{20}",
  'password: "Zz9',
  '"api_key": "a1b2',
];
const AROUND = ["mailer", "settings", "BEGIN", "secret", "padding", "[Tt]oken|key", "."];

async function askAll(
  { tool, engine }: Project,
  { leaks, paths }: { readonly leaks: Leaks; readonly paths: readonly string[] },
): Promise<number> {
  let calls = 0;
  const ask = async (name: string, input: Readonly<Record<string, unknown>>): Promise<void> => {
    calls += 1;
    const what = `${name} ${JSON.stringify(input)}`;
    const answer = await tool(name, input).catch(String);
    leaks.look(what, answer);
  };
  for (const pattern of [...PROBES, ...AROUND]) {
    await ask("search_text", { pattern, regex: true, case_sensitive: true, limit: 500 });
    await ask("search_text", { pattern, regex: true, context_lines: 20, limit: 500 });
  }
  for (const query of ["settings of mailer", "password token key secret", "connect", "rotate"]) {
    for (const max_tokens of [500, 20_000]) {
      await ask("search_context", { query, limit: 50, max_tokens });
    }
    const answer = await engine.search({ ...request(), query, limit: 50, maxTokens: 20_000 });
    leaks.look("rest", searchRecord(query, answer));
    const whole = { ...request(), query, limit: 50, maxTokens: 20_000, showsFullPassages: true };
    leaks.look("rest, whole", searchRecord(query, await engine.search(whole)));
  }
  for (const path of paths) {
    await ask("read_context", { targets: [path], max_tokens: 20_000 });
    await ask("read_context", { targets: [`${path}:4-9`], line_numbers: true });
    await ask("outline", { path, max_tokens: 20_000 });
    await ask("find_related", { target: path, limit: 50 });
    await ask("analyze_impact", { target: path, max_tokens: 20_000 });
    await ask("find_references", { symbol: `${path}:3`, limit: 500 });
    await ask("find_references", { symbol: path, relation: "imports" });
  }
  for (const name of ["connect", "connect1", "settings", "gh", "npm", "a", "AKIA", "rotate"]) {
    await ask("find_symbol", { name, limit: 100 });
    await ask("find_references", { symbol: name, limit: 500 });
    await ask("analyze_impact", { target: name, max_tokens: 20_000 });
  }
  await ask("outline", { max_tokens: 20_000, depth: 20 });
  for (const detail of ["summary", "skipped", "health"]) await ask("index_status", { detail });
  return calls;
}

promise([33], "no tool returns a secret of an indexed file, in any form", async () => {
  const { secrets, files } = planted();
  const here = createProject(files, { onDisk: true });
  try {
    await here.tool("index_source", { source: here.root });
    const leaks = new Leaks(secrets);
    const calls = await askAll(here, { leaks, paths: Object.keys(files) });
    expect(leaks.found.slice(0, 20)).toEqual([]);
    // The places are still shown: the mask covers the secrets, not the lines.
    const { text } = await here.tool("search_context", { query: "settings of mailer", limit: 50 });
    expect(text).toContain("[REDACTED:");
    return calls * secrets.length;
  } finally {
    await here.dispose();
  }
});

promise([33], "a pattern that would match a secret counts no line for it", async () => {
  const secrets = plantedSecrets(sized({ quick: 56, full: 280 }), 7);
  const here = createProject(
    { "a.txt": secrets.map(({ line }) => line).join("\n") },
    { onDisk: true },
  );
  try {
    await here.tool("index_source", { source: here.root });
    for (const pattern of PROBES) {
      for (const output of ["count", "files", "matches"]) {
        const { text } = await here.tool("search_text", { pattern, regex: true, output });
        expect(text).toContain("No line matches");
      }
    }
    for (const { value } of secrets) {
      const [pattern = ""] = value.split("\n");
      const { text } = await here.tool("search_text", { pattern, output: "count" });
      expect(text).toContain("No line matches");
    }
    return PROBES.length * 3 + secrets.length;
  } finally {
    await here.dispose();
  }
});

promise([33], "changes, their symbols and the hits of monitors hold no secret", async () => {
  const repository = gitRepository();
  const secrets = plantedSecrets(sized({ quick: 28, full: 112 }), 12);
  const leaks = new Leaks(secrets);
  const here = createProject({}, { onDisk: true, workspace: () => repository.path });
  try {
    repository.commit({ "a.ts": "export function mailer() {\n  return 1;\n}\n", "b.md": "# B\n" });
    await here.tool("index_source", { source: repository.path });
    await here.tool("set_monitor", { action: "create", name: "any", pattern: "mailer|setting|." });
    await here.tool("set_monitor", { action: "create", name: "github", pattern: "gh[ps]_" });
    await here.tool("set_monitor", { action: "create", name: "words", query: "settings mailer" });
    const lines = secrets.map(({ line }, at) => `// settings of the mailer ${at}\n${line}`);
    appendFileSync(join(repository.path, "a.ts"), `${lines.join("\n")}\n`);
    const headings = secrets.map(({ value }) => `## Use ${value.split("\n")[0]}\n\nIt rotates.\n`);
    writeFileSync(join(repository.path, "b.md"), headings.join("\n"));
    await here.tool("index_source", { source: repository.path });
    const known = await here.tool("list_changes", { since: "1", limit: 200 });
    // Text that occurs only in a heading is a secret by its form or not at all.
    const byForm = new Leaks(secrets.filter(({ line, value }) => hasForm(line, value)));
    for (const input of [{ since: "1" }, { since: "HEAD" }, { since: "1", monitor: "any" }]) {
      byForm.look(JSON.stringify(input), await here.tool("list_changes", input));
    }
    leaks.look("hits", (await here.tool("list_changes", { since: "1", path: "a.ts" })).text);
    expect([...leaks.found, ...byForm.found].slice(0, 10)).toEqual([]);
    expect(known.text).toContain("[REDACTED:");
    expect((await here.tool("list_changes", { since: "1", monitor: "github" })).text).not.toContain(
      '"monitor":"github"',
    );
    return 5 * secrets.length;
  } finally {
    await here.dispose();
    repository.dispose();
  }
});

/** Whether svc recognises it without the name before it. */
function hasForm(line: string, value: string): boolean {
  return (
    /^(?:gh|github|gl|AKIA|xox|sk|npm|AIza|GOC|SG|pypi|dop|eyJ|sv)[\w.-]*[_.-]?/.test(value) &&
    line !== value
  );
}

promise([33], "only the owner sees secrets, by a flag in the shell", async () => {
  const secrets = plantedSecrets(28, 5).filter(({ line }) => line.length < 280);
  const here = createMachine({ "a.txt": `${secrets.map(({ line }) => line).join("\n")}\n` });
  try {
    const leaks = new Leaks(secrets);
    for (const words of [
      ["grep", "."],
      ["grep", ".", "--json"],
      ["search", "password token settings", "--max-tokens", "20000"],
      ["search", "password token settings", "--json", "--max-tokens", "20000"],
      ["outline", "a.txt"],
      ["changes", "--json"],
    ]) {
      leaks.look(words.join(" "), await here.svc(...words));
    }
    expect(leaks.found).toEqual([]);
    const shown = await here.svc("grep", ".", "--include-secrets");
    for (const { value } of secrets) expect(shown.out).toContain(value.split("\n")[0]);
    return 6 * secrets.length;
  } finally {
    here.dispose();
  }
});

promise([33], "a mask preserves lines, columns and the text around it", async () => {
  const { maskSecrets } = await import("../../src/base/mask-secrets.ts");
  const secrets = plantedSecrets(sized({ quick: 560, full: 20_000 }), 99);
  for (const { line, value } of secrets) {
    for (const text of [line, `before\r\n${line}\r\nbehind`, `{"a": ${JSON.stringify(line)}}`]) {
      const masked = maskSecrets(text);
      expect(masked.length).toBe(text.length);
      expect(masked.replace(/[^\r\n]/g, "")).toBe(text.replace(/[^\r\n]/g, ""));
      expect(masked).not.toContain(value.split("\n")[0]);
      expect(maskSecrets(masked)).toBe(masked);
    }
  }
  return secrets.length * 3;
});
