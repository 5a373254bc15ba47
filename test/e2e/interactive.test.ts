// The built program on a terminal, with a keyboard: the window of `svc search -i`, and the pager.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { openTerminal, type TypedTerminal } from "../helpers/typed-terminal.ts";
import { createPlace, svc } from "../spec/program.ts";

const SVC = join(import.meta.dirname, "../../dist/svc");
process.env["SVC_BIN"] = SVC;
const ESCAPE = "\u001b";

const HOSTILE = "-rf $(touch stolen) ; 'x'.md";
const place = createPlace({
  "src/orbit.ts":
    "/** Radius of the orbit of a satellite. */\nexport function orbitRadius(mass: number): number {\n  return mass;\n}\n",
  [`docs/${HOSTILE}`]: `# Comet\n\nThe tail ${ESCAPE}]0;owned\u0007${ESCAPE}[2J of a comet points away from the sun.\n`,
  "many.txt": "a meteor\n".repeat(200),
});
beforeAll(async () => {
  const { exit, stderr } = await svc(place, "index");
  if (exit !== 0) throw new Error(stderr);
});
afterAll(place.remove);

const at = (name: string): string => join(place.home, name);

function open(words: string, env: Record<string, string> = {}): TypedTerminal {
  return openTerminal(`${SVC} ${words}`, {
    cwd: place.root,
    env: {
      PATH: process.env["PATH"],
      HOME: place.home,
      SERVICE_HOME: at("data"),
      TERM: "xterm-256color",
      ...env,
    },
  });
}

test("what is typed is searched, and Enter opens the result in the editor at its line", async () => {
  writeFileSync(at("vim"), `#!/bin/sh\nprintf '%s|' "$@" > '${at("opened")}'\n`, { mode: 0o755 });
  const terminal = open("search -i", { EDITOR: at("vim") });
  await terminal.shows("Type a question");
  terminal.type("orbit radius");
  await terminal.shows("src/orbit.ts:1  orbitRadius");
  await terminal.shows("2  export function orbitRadius(mass: number): number {");
  const before = terminal.written().length;
  terminal.type("\r");
  await vi.waitFor(() => expect(readFileSync(at("opened"), "utf8")).not.toBe(""), 10_000);
  expect(readFileSync(at("opened"), "utf8")).toBe(`+1|${join(place.root, "src/orbit.ts")}|`);
  // The window returns with the same question.
  await terminal.shows("src/orbit.ts:1  orbitRadius", before);
  terminal.type(ESCAPE);
  expect(await terminal.exit).toBe(0);
  expect(terminal.written().trimEnd().endsWith(`${ESCAPE}[?25h`)).toBe(true);
});

test("a hostile name and hostile text run nothing and control nothing", async () => {
  writeFileSync(at("code"), `#!/bin/sh\nprintf '%s|' "$@" > '${at("opened-2")}'\n`, {
    mode: 0o755,
  });
  const terminal = open("-i comet", { VISUAL: `'${at("code")}' --wait` });
  await terminal.shows(`${HOSTILE}:1`.slice(0, 40));
  await terminal.shows("of a comet points away from the sun.");
  terminal.type("\r");
  await vi.waitFor(() => expect(existsSync(at("opened-2"))).toBe(true), 10_000);
  await vi.waitFor(() =>
    expect(readFileSync(at("opened-2"), "utf8")).toBe(
      `--wait|--goto|${join(place.root, "docs", HOSTILE)}:1|`,
    ),
  );
  terminal.type(ESCAPE);
  expect(await terminal.exit).toBe(0);
  expect(existsSync(join(place.root, "stolen"))).toBe(false);
  expect(terminal.written()).not.toContain("]0;owned");
});

test("a frame is never higher or wider than the window", async () => {
  const terminal = open("search -i");
  await terminal.shows("Type a question");
  for (const key of ["m", "e", "t", "e", "o", "r", "s"]) {
    const before = terminal.written().length;
    terminal.type(key);
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await terminal.shows("Esc leave", before);
  }
  await terminal.shows("many.txt:");
  terminal.type("\u0003");
  expect(await terminal.exit).toBe(130);
  for (const frame of terminal.written().split(`${ESCAPE}[G> `).slice(1)) {
    const lines = frame.split(/\r?\n/);
    expect(lines.length).toBeLessThan(25);
  }
});

test("the location goes to a pipe, as in `vim $(svc -i)`", async () => {
  const terminal = open(`-i orbit > '${at("chosen")}'`);
  await terminal.shows("src/orbit.ts:1");
  terminal.type("\r");
  expect(await terminal.exit).toBe(0);
  expect(readFileSync(at("chosen"), "utf8")).toBe("src/orbit.ts:1\n");
});

test("output longer than the window goes to the pager, in colour; a pager that is quit is success", async () => {
  const paged = `(echo "LESS=$LESS"; cat) > '${at("paged")}'`;
  const terminal = open("grep meteor", { SVC_PAGER: paged, PAGER: "false" });
  expect(await terminal.exit).toBe(0);
  const text = readFileSync(at("paged"), "utf8");
  expect(text.match(/a meteor/g)).toHaveLength(200);
  expect(text).toMatch(/^LESS=FRX\n/);
  expect(text).toContain(`${ESCAPE}[3`);
  expect(terminal.written()).not.toContain("a meteor");

  const quit = open("grep meteor", { PAGER: "head -n 2" });
  expect(await quit.exit).toBe(0);
  expect(quit.written().match(/a meteor/g)).toHaveLength(1);
});

test.each([
  ["grep meteor -n 5", {}],
  ["grep meteor --no-pager", {}],
  ["grep meteor", { NO_PAGER: "1" }],
  ["grep meteor", { PAGER: "cat" }],
  ["grep meteor --json", {}],
  ["grep meteor --jsonl", {}],
  ["search meteor", {}],
  ["search meteor -l0", {}],
])("no pager for: %s %j", async (words, env) => {
  const terminal = open(words, { PAGER: `echo paged; cat > /dev/null`, ...env });
  expect(await terminal.exit).toBe(0);
  expect(terminal.written()).not.toContain("paged");
});

test("less itself, if there is one: q leaves, and the exit code is 0", async () => {
  const terminal = open("grep meteor", { PAGER: "less" });
  await terminal.shows("a meteor");
  terminal.type("q");
  expect(await terminal.exit).toBe(0);
});
