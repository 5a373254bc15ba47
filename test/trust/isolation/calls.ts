// Random calls of all tools, with arguments that are right, wrong, or from another caller.
import { tools } from "../../../src/tools/registry.ts";
import type { Channel, Call } from "./channels.ts";
import { filesOf, MINE, SHARED, THEIRS } from "./folders.ts";
import type { Random } from "./random.ts";

export interface Drawn {
  readonly channel: Channel;
  /** By name. */
  readonly asker: string;
  readonly call: Call;
}

/** Cursors of other callers, found in answers. */
export interface Pool {
  /** Those of the callers' own; the other world has never issued them. */
  readonly own: string[];
  readonly theirs: string[];
  /** Roots of the sources, by namespace. */
  readonly roots: Readonly<Record<string, string>>;
}

type Input = Record<string, unknown>;

const { canaries } = THEIRS;
const KNOWN_WORDS = [
  "ledger",
  "settleInvoice",
  "invoice settles",
  "Refunds",
  "openLedger",
  "round",
];
const THEIR_WORDS = [
  canaries.content,
  canaries.symbol,
  canaries.file,
  canaries.folder,
  canaries.commit,
];
const THEIR_NAMES = [`settle_${canaries.symbol}`, `Ledger_${canaries.symbol}`, canaries.symbol];
const MY_PATHS = Object.keys(filesOf(MINE.canaries));
const THEIR_PATHS = Object.keys(filesOf(canaries));
const GLOBS = [
  "**",
  "**/*.ts",
  "src/**",
  `**/${canaries.folder}/**`,
  `../${THEIRS.name}/**`,
  "{src,docs}/*",
  "!src/**",
];
const NAMESPACES = [
  "mine",
  "shared",
  THEIRS.name,
  THEIRS.name,
  THEIRS.name.toUpperCase(),
  ` ${THEIRS.name}`,
  `${THEIRS.name} `,
  `${THEIRS.name}\0`,
  `mine/../${THEIRS.name}`,
  THEIRS.name.replace("e", "\u0435"),
  `${THEIRS.name}\u0301`,
  `mine,${THEIRS.name}`,
  "mine,shared",
  "shared,mine",
  `shared,*,${THEIRS.name}`,
  `%74${THEIRS.name.slice(1)}`,
  "nothing",
  "gone",
  "Mine",
  "*",
  "%",
  "' OR '1'='1",
  "",
] as const;

/** Calls that start a run over the files, or git, cost more than all others together, so they are rare. */
const WEIGHTS: Readonly<Record<string, number>> = {
  search_context: 16,
  search_text: 16,
  find_symbol: 14,
  read_context: 14,
  find_references: 12,
  outline: 10,
  find_related: 6,
  analyze_impact: 5,
  index_status: 8,
  set_monitor: 6,
  list_changes: 3,
  index_source: 2,
};
const WEIGHED = Object.entries(WEIGHTS).flatMap(([name, weight]) =>
  Array<string>(weight).fill(name),
);
/** How often a costly tool is called in a namespace that the caller has. */
const COSTLY = 0.03;

export function drawCall(random: Random, pool: Pool): Drawn {
  const asker = random.pick([
    "mine",
    "mine",
    "mine-read-only",
    "two",
    "two",
    "gone",
    "mine-key",
    "gone-key",
  ]);
  if (asker.endsWith("key")) {
    const input = searchInput(random, pool);
    return { channel: "rest", asker, call: { tool: "", input, wantsProgress: false } };
  }
  const channel = random.pick(["http", "http-modern", "stdio", "stdio-modern"] as const);
  const tool = random.pick(WEIGHED);
  const input = INPUTS[tool]?.(random, pool) ?? {};
  const namespace = drawNamespace(random, tool);
  const named = namespace === undefined ? input : { ...input, namespace };
  return { channel, asker, call: { tool, input: named, wantsProgress: random.chance(0.2) } };
}

function drawNamespace(random: Random, tool: string): string | undefined {
  const isCostly = ["list_changes", "index_source", "set_monitor"].includes(tool);
  if (random.chance(isCostly ? COSTLY : 0.5)) return random.pick([["mine"], ["shared"], []])[0];
  return random.pick(isCostly ? NAMESPACES.slice(2) : NAMESPACES);
}

const INPUTS: Readonly<Record<string, (random: Random, pool: Pool) => Input>> = {
  search_context: searchInput,
  search_text: (random, pool) => ({
    pattern: random.pick([...words(random), "zq.*vwj", "\\w+", canaries.content.slice(0, 6)]),
    ...some(random, {
      regex: random.chance(0.5),
      path: drawGlob(random),
      output: random.pick(["matches", "files", "count"]),
      context_lines: 2,
      limit: random.pick([1, 2, 50]),
      cursor: drawCursor(random, pool),
    }),
  }),
  find_symbol: (random, pool) => ({
    name: random.pick([...THEIR_NAMES, ...words(random), "settle", "Ledger"]),
    ...some(random, {
      kind: "function",
      path: drawGlob(random),
      limit: random.pick([1, 20]),
      cursor: drawCursor(random, pool),
    }),
  }),
  read_context: (random, pool) => ({
    targets: [0, 1, 2].slice(random.below(3)).map(() => drawTarget(random, pool)),
    ...some(random, { line_numbers: true, max_tokens: random.pick([100, 2000]) }),
  }),
  find_references: (random, pool) => ({
    symbol: drawTarget(random, pool),
    ...some(random, {
      relation: random.pick([
        "references",
        "callers",
        "callees",
        "implementations",
        "imports",
        "importers",
      ]),
      path: drawGlob(random),
      limit: random.pick([1, 50]),
      cursor: drawCursor(random, pool),
    }),
  }),
  outline: (random) =>
    some(random, {
      path: random.pick(["src", "", "docs", ...MY_PATHS, ...THEIR_PATHS, `../${THEIRS.name}`]),
      depth: 3,
    }),
  find_related: (random, pool) => ({
    target: drawTarget(random, pool),
    ...some(random, {
      relation: random.pick(["similar", "tests", "docs", "changed_together"]),
      limit: 5,
    }),
  }),
  analyze_impact: (random, pool) => ({
    target: random.chance(0.05)
      ? random.pick(["working", "HEAD~1", "HEAD^!", "HEAD~1..HEAD", `v-${canaries.commit}`])
      : drawTarget(random, pool),
    ...some(random, { depth: 2 }),
  }),
  index_status: (random) => some(random, { detail: random.pick(["summary", "skipped", "health"]) }),
  set_monitor: (random) => ({
    action: random.pick(["list", "create", "delete"]),
    ...some(random, { name: random.pick(["watch", "monitor-1"]) }),
    ...random.pick<Input>([
      {},
      { pattern: "settle" },
      { query: "how invoices are settled" },
      { symbol: "openLedger" },
      { path: "src/**" },
    ]),
  }),
  list_changes: (random, pool) =>
    some(random, {
      since: random.pick([
        ...pool.own.filter(isOfChanges),
        ...pool.theirs.filter(isOfChanges),
        "0",
        "2026-01-01",
        "HEAD~1",
        `v-${canaries.commit}`,
        "working",
      ]),
      path: drawGlob(random),
      monitor: random.pick(["watch", canaries.question]),
      limit: 5,
    }),
  // A caller with two namespaces may add a folder of one to the other: that one is not named here.
  index_source: (random, { roots }) => ({
    source: random.pick([
      roots["mine"],
      roots[THEIRS.name],
      `${roots[THEIRS.name]}/src`,
      `${roots["mine"]}/../${THEIRS.name}`,
      "/nowhere",
      `${roots["mine"]}/src`,
    ]),
    ...some(random, { wait_ms: 20_000, include: ["**"] }),
  }),
};

function searchInput(random: Random, pool: Pool): Input {
  return {
    query: random.pick(words(random)),
    ...some(random, {
      path: drawGlob(random),
      limit: random.pick([1, 2, 10]),
      max_tokens: random.pick([100, 2000]),
      kind: random.pick(["code", "docs", ["tests", "config"]]),
      cursor: drawCursor(random, pool),
    }),
  };
}

function words(random: Random): readonly string[] {
  return random.chance(0.6) ? KNOWN_WORDS : THEIR_WORDS;
}

function drawGlob(random: Random): string {
  return random.pick([...GLOBS, ...THEIR_PATHS]);
}

function drawCursor(random: Random, { own, theirs }: Pool): string {
  return random.pick([...random.pick([own, theirs]).slice(-40), "b2g"]);
}

function drawTarget(random: Random, { roots }: Pool): string {
  const path = random.pick([
    ...MY_PATHS,
    ...THEIR_PATHS,
    `../${THEIRS.name}/docs/ledger.md`,
    `${roots[THEIRS.name]}/src/ledger.ts`,
    `${THEIRS.name}/src/ledger.ts`,
    ".env",
    ".git/HEAD",
  ]);
  return random.pick([
    path,
    path,
    `${path}:1-4`,
    `${path}#settleInvoice`,
    ...THEIR_NAMES,
    "settleInvoice",
    "openLedger",
    "src",
    `${SHARED.name}/src/ledger.ts`,
  ]);
}

function isOfChanges(cursor: string): boolean {
  return cursor.startsWith("chg_");
}

/** Each of these members is optional. */
function some(random: Random, members: Input): Input {
  return Object.fromEntries(Object.entries(members).filter(() => random.chance(0.35)));
}

/** Every tool occurs. */
export const DRAWN_TOOLS = Object.keys(WEIGHTS);
export const ALL_TOOLS = tools.map(({ name }) => name);
