// Realistic configurations of each client: everything around svc's entry keeps its bytes.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { CLIENTS, type ClientDefinition } from "../../src/clients/definitions.ts";
import { JSONC_FORMAT } from "../../src/clients/jsonc.ts";
import { TOML_FORMAT } from "../../src/clients/toml.ts";
import { installation } from "./installation.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const ALL: readonly ClientDefinition[] = CLIENTS;

const VARIANTS: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  "with a byte order mark": (text) => `\uFEFF${text}`,
  "without a last line break": (text) => text.replace(/\n$/, ""),
  "indented by tabs": (text) =>
    text.replaceAll(/^(?: {2})+/gm, (blanks) => "\t".repeat(blanks.length / 2)),
};

/** The entry that each client gets. */
const ENTRIES: Readonly<Record<string, object>> = {
  "claude-code": { type: "stdio", command: "/opt/svc", args: ["mcp", "--stdio"] },
  vscode: { type: "stdio", command: "/opt/svc", args: ["mcp", "--stdio"] },
  codex: { command: "/opt/svc", args: ["mcp", "--stdio"], env_vars: ["SERVICE_TOKEN"] },
  gemini: {
    command: "/opt/svc",
    args: ["mcp", "--stdio"],
    env: { SERVICE_TOKEN: "$SERVICE_TOKEN" },
  },
  opencode: { type: "local", command: ["/opt/svc", "mcp", "--stdio"], enabled: true },
};
const PLAIN = { command: "/opt/svc", args: ["mcp", "--stdio"] };

describe.each(ALL)("$id", (client) => {
  const { format, key } = client.shape;
  const fixture = readFileSync(join(FIXTURES, `${client.id}.${format}`), "utf8");
  const read = format === "toml" ? TOML_FORMAT.read : JSONC_FORMAT.read;

  test.each(Object.entries(VARIANTS))("%s", async (_, variant) => {
    const text = variant(fixture);
    const empty = installation({});
    const target = empty.target(client.id);
    const { path } = target;
    const name = path.slice(empty.path("").length);
    const machine = installation({ [name]: text });
    const file = machine.path(name);
    const { state } = await machine.install(machine.target(client.id));
    expect(state).toBe("added");

    const installed = readFileSync(file, "utf8");
    const before = Object(read(text.replace("\uFEFF", "")));
    const after = Object(read(installed.replace("\uFEFF", "")));
    const { svc, ...others } = after[key];
    expect(svc).toEqual(ENTRIES[client.id] ?? PLAIN);
    expect({ ...after, [key]: others }).toEqual(before);
    expect(withoutAdded(installed, text)).toBe(text);

    await machine.uninstall(machine.target(client.id));
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

test("every fixture belongs to a client", () => {
  const names = ALL.map(({ id, shape }) => `${id}.${shape.format}`);
  expect(readdirSync(FIXTURES).toSorted()).toEqual(names.toSorted());
});

/** Removes the one range that `shorter` lacks from `longer`, apart from a comma. */
function withoutAdded(longer: string, shorter: string): string {
  let start = 0;
  while (longer[start] === shorter[start] && start < shorter.length) start++;
  let end = 0;
  const most = shorter.length - start;
  while (end < most && longer.at(-1 - end) === shorter.at(-1 - end)) end++;
  return longer.slice(0, start) + longer.slice(longer.length - end);
}
