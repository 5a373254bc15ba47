// The tools give the same answers for an undivided project and for one in shards.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { memoryBackend } from "../../../src/backend/memory-backend.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import type { IndexBackend } from "../../../src/index/port.ts";
import { shardedBackend } from "../../../src/index/shards/backend.ts";
import { fixedShards } from "../../../src/index/shards/shard-count.ts";
import { createProject, type Project } from "../../helpers/project.ts";
import { tree } from "../../helpers/tree.ts";

const SOURCES = join(import.meta.dirname, "../../../src/index");

/** No question is about these files: parsing them would take a third of the time. */
const LEFT_OUT = /(?:^|\/)(?:change-log|memory|names|pagerank|postgres|trigrams)\//;

/** The sources of the index, and some docs. */
function files(): Readonly<Record<string, string>> {
  const found: Record<string, string> = { "README.md": "# The index\n\nIt merges segments.\n" };
  for (const entry of readdirSync(SOURCES, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(SOURCES.length + 1);
    if (entry.isFile() && !LEFT_OUT.test(name)) found[name] = readFileSync(path, "utf8");
  }
  return found;
}

const place = tree();
const opened: IndexBackend[] = [];
let whole: Project;
let divided: Project;

function projectOver(name: string, wrap: (backend: EmbeddedBackend) => IndexBackend): Project {
  const embedded = new EmbeddedBackend(join(place.path, name));
  const index = wrap(embedded);
  opened.push(index);
  return createProject(files(), { backend: { ...memoryBackend(), index } });
}

beforeAll(async () => {
  whole = projectOver("whole", (backend) => backend);
  divided = projectOver("divided", (backend) =>
    shardedBackend(backend, { shards: fixedShards(3) }),
  );
  for (const project of [whole, divided]) {
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    await project.tool("index_source", { source: project.root });
  }
}, 120_000);

afterAll(async () => {
  await whole.dispose();
  await divided.dispose();
  for (const backend of opened) backend.close();
  place.dispose();
});

const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["search_context", { query: "how are segments merged", max_tokens: 4000 }],
  ["search_context", { query: "cosine of a vector and the question", limit: 30 }],
  ["search_context", { query: "readr of one verison" }],
  ["search_context", { query: "IndexReader" }],
  ["search_context", { query: "write a commit durably", path: "embedded/**" }],
  ["search_text", { pattern: "INDEX_UNAVAILABLE" }],
  ["search_text", { pattern: "class \\w+Reader", regex: true, limit: 5 }],
  ["find_symbol", { name: "Reader" }],
  ["find_symbol", { name: "commit", limit: 50 }],
  ["find_symbol", { name: "segmntReader" }],
  ["outline", {}],
  ["outline", { path: "embedded/segment" }],
  ["outline", { path: "port.ts" }],
  ["find_references", { symbol: "shardOf" }],
  ["find_references", { symbol: "eachPosting", relation: "callers", depth: 3 }],
  ["find_references", { symbol: "IndexReader", relation: "implementations" }],
  ["find_references", { symbol: "fence.ts", relation: "importers" }],
  ["analyze_impact", { target: "requireVersion" }],
  ["analyze_impact", { target: "types.ts" }],
  ["find_related", { target: "embedded/reader.ts" }],
  ["find_related", { target: "SegmentWriter", relation: "similar" }],
  ["read_context", { targets: ["Fence", "coding/bytes.ts:1-20"] }],
  ["read_context", { targets: ["NoSuchNam"] }],
  ["index_status", { detail: "skipped" }],
];

/** The earlier calls check for changes in the background, and the status reports that. */
async function untilReady(project: Project): Promise<void> {
  await vi.waitFor(async () => {
    expect((await project.tool("index_status", {})).text).toMatch(/: ready\b/);
  }, 10_000);
}

async function answerOf(project: Project, name: string, input: unknown): Promise<unknown> {
  if (name === "index_status") await untilReady(project);
  try {
    const { text, outcome } = await project.tool(name, input);
    return [text, outcome].map((part) => stable(JSON.stringify(part), project));
  } catch (thrown) {
    return stable(String(thrown), project);
  }
}

/** Without times, cursors, the path and name of the project, and the generation, which counts merges too. */
function stable(text: string, { root }: Project): string {
  return text
    .replaceAll(root, "ROOT")
    .replaceAll(basename(root).toLowerCase(), "NAME")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\b[\d.]+ m?s\b/g, "DURATION")
    .replaceAll(/(generation(?:\\*":)? ?)\d+/g, "$1")
    .replaceAll(/((?:tookMs|took_ms|durationMs)\\?":)[\d.]+/g, "$1")
    .replaceAll(/("by\\?":\\?")(?:index|background)/g, "$1")
    .replaceAll(/\bchg_[\w-]+/g, "CURSOR")
    .replaceAll(/(cursor\\?":\\?"|cursor \\?")[\w-]+/g, "$1");
}

test.each(CALLS)("%s %j", async (name, input) => {
  const expected = await answerOf(whole, name, input);
  expect(JSON.stringify(expected).length).toBeGreaterThan(40);
  expect(await answerOf(divided, name, input)).toEqual(expected);
});
