import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { INSTRUCTIONS } from "../../src/cli/mcp-server-options.ts";
import { TOOL_LISTINGS } from "../../src/tools/tool-listings.ts";
import { tools } from "../../src/tools/registry.ts";
import { createMachine } from "../helpers/cli.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { createProject } from "../helpers/project.ts";
import { openSession, type SessionPeer } from "../helpers/rpc.ts";
import { tree } from "../helpers/tree.ts";
import { injections, UNSAFE_FOR_TERMINALS, type Injection } from "./injections.ts";
import { promise, trustSize } from "./promise.ts";

interface Item {
  readonly text: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A server that nothing should call, and a file that nothing should create. */
async function bait(): Promise<{
  readonly all: readonly Injection[];
  readonly isTaken: () => boolean;
}> {
  const place = tree();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(async () => {
    await new Promise((done) => server.close(done));
    place.dispose();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const file = join(place.path, "taken");
  return {
    all: injections(`http://127.0.0.1:${port}`, file),
    isTaken: () => connections > 0 || existsSync(file),
  };
}

/** Each injection as the comment, the literal and the heading of separate files. */
function filesWith(all: readonly Injection[]): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [at, { text }] of all.entries()) {
    files[`src/part${at}.ts`] =
      `/** Part ${at} of the gadget.\n${text.replaceAll("*/", "* /")} */\nexport function gadget${at}() {\n  return ${JSON.stringify(text)};\n}\n`;
    files[`docs/part${at}.md`] =
      `# Gadget ${at} ${text.split("\n")[0]}\n\nHow gadget ${at} works.\n\n${text}\n`;
    files[`raw/part${at}.txt`] = `gadget ${at}\n${text}\nend of ${at}\n`;
    // Slashes and NUL are the only bytes that a name cannot have.
    const name = text.replaceAll("/", "_").slice(0, 60);
    files[`names/${at}-${name}.txt`] = `named gadget ${at}\n`;
  }
  return files;
}

async function itemsOf(
  peer: SessionPeer,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<readonly Item[]> {
  const { result, error } = await peer.request("tools/call", { name, arguments: args });
  expect([name, error]).toEqual([name, undefined]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the interface guarantees it
  return (result?.["content"] ?? []) as readonly Item[];
}

function isMarked(item: Item | undefined): boolean {
  return item?.["_meta"]?.["dev.svc/suspicious"] === true;
}

const INITIALIZE = {
  protocolVersion: "2024-11-05",
  capabilities: {},
  clientInfo: { name: "t", version: "1" },
};

promise([32], "the server's own descriptions are the same for any indexed content", async () => {
  const { all, isTaken } = await bait();
  const here = createProject(filesWith(all), { onDisk: true });
  try {
    const options = { tools, instructions: INSTRUCTIONS, engine: async () => here.engine };
    const descriptions = async (): Promise<string> => {
      const peer = openSession(options);
      const first = await peer.request("initialize", INITIALIZE);
      return JSON.stringify([first.result, (await peer.request("tools/list")).result]);
    };
    const before = await descriptions();
    // Pinned: the listing is constant in the sources, and so are the instructions.
    expect(before).toContain(JSON.stringify(TOOL_LISTINGS.map(({ descriptor }) => descriptor)));
    expect(before).toContain(JSON.stringify(INSTRUCTIONS));
    await here.tool("index_source", { source: here.root });
    for (const query of ["gadget", "instructions", "tools/list_changed"]) {
      await here.tool("search_context", { query });
    }
    expect(await descriptions()).toBe(before);
    expect(isTaken()).toBe(false);
    return all.length;
  } finally {
    await here.dispose();
  }
});

promise(
  [32],
  "answers give injected text unchanged, with its place, and mark hidden characters",
  async () => {
    const { all, isTaken } = await bait();
    const here = createProject(filesWith(all), { onDisk: true });
    try {
      await here.tool("index_source", { source: here.root });
      const peer = openSession({ tools, engine: async () => here.engine });
      for (const [at, { text, isHidden }] of all.entries()) {
        const path = `raw/part${at}.txt`;
        const [item, ...more] = await itemsOf(peer, "read_context", { targets: [path] });
        expect(item?.text).toContain(`gadget ${at}\n${text}\nend of ${at}`);
        expect(item?.text).toContain(`${path}:1-`);
        expect([text, isMarked(item)]).toEqual([text, isHidden]);
        expect([text, more.length]).toEqual([text, isHidden ? 1 : 0]);
        if (isHidden)
          expect(more[0]?.text).toMatch(/^Suspicious: One item above holds [a-z, ]+\. /);
        const found = await itemsOf(peer, "search_text", {
          pattern: `gadget ${at}\n`.trim(),
          path: "raw/**",
          context_lines: 3,
        });
        const shown = found.find((one) => one.text.startsWith(`${path}\n`));
        // White space at the end of a line is not shown, and U+FEFF is white space.
        for (const line of text.split("\n")) expect(shown?.text).toContain(line.trimEnd());
        const passages = await itemsOf(peer, "search_context", {
          query: `gadget${at}`,
          path: "src/**",
        });
        expect(passages.some((one) => one["_meta"]?.["dev.svc/passages"] !== undefined)).toBe(true);
      }
      for (const [name, args] of [
        ["outline", {}],
        ["find_symbol", { name: "gadget" }],
        ["find_references", { symbol: "gadget1" }],
        ["find_related", { target: "src/part1.ts" }],
        ["analyze_impact", { target: "src/part1.ts" }],
        ["index_status", { detail: "skipped" }],
        ["list_changes", { since: "1" }],
      ] as const) {
        for (const item of await itemsOf(peer, name, args)) {
          const isHidden = UNSAFE_FOR_TERMINALS.test(item.text);
          if (isHidden) expect([name, isMarked(item)]).toEqual([name, true]);
        }
      }
      expect(isTaken()).toBe(false);
      return all.length * 3;
    } finally {
      await here.dispose();
    }
  },
);

/** Each prints names, paths, lines or messages of a tree in a different way. */
const COMMANDS: readonly (readonly string[])[] = [
  ["grep", "."],
  ["search", "gadget", "--limit", "50", "--max-tokens", "20000"],
  ["symbols", "gadget", "--limit", "100"],
  ["outline"],
  ["grep", ".", "--json"],
  ["changes"],
];
/** Runs only with more time, most of which is the start of the program. */
const MORE_COMMANDS: readonly (readonly string[])[] = [
  ["search", "gadget", "--limit", "50", "--explain", "--json"],
  ["grep", "-l", "gadget"],
  ["grep", "-C", "3", "gadget"],
  ["outline", "docs", "--json"],
  ["symbols", "gadget", "--json"],
  ["refs", "gadget1"],
  ["status", "--json"],
  ["status"],
  ["changes", "--json"],
];

promise([32], "no control, escape or hidden character of a tree reaches the terminal", async () => {
  const { all, isTaken } = await bait();
  const here = createMachine(filesWith(all));
  const repository = gitRepository();
  try {
    repository.commit({ "a.ts": "export function a() {}\n" });
    repository.git("commit", "-q", "--allow-empty", "-m", all.map(({ text }) => text).join("\n"));
    repository.commit({ "a.ts": "export function b() {}\n" });
    const refused = all.at(-1)?.text ?? "";
    const commands = [
      ["index", here.root],
      ...COMMANDS,
      ...(trustSize() === "quick" ? [] : [...MORE_COMMANDS, ["index", repository.path, "--json"]]),
      ["outline", "--", refused],
    ];
    for (const words of commands) {
      const { out, err } = await here.svc(...words);
      expect([words, UNSAFE_FOR_TERMINALS.exec(out)]).toEqual([words, null]);
      expect([words, UNSAFE_FOR_TERMINALS.exec(err)]).toEqual([words, null]);
    }
    expect(isTaken()).toBe(false);
    return commands.length * all.length;
  } finally {
    repository.dispose();
    here.dispose();
  }
});
