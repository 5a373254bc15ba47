// Any text in a query is a query: it reveals no syntax of an engine, and none fails.
import { expect, onTestFinished } from "vitest";

import { tools } from "../../src/tools/registry.ts";
import { createProject, request } from "../helpers/project.ts";
import { modernParams, openSession, type Wire } from "../helpers/rpc.ts";
import { seeded, type Random } from "./isolation/random.ts";
import { promise, sized } from "./promise.ts";

const SEED = "questions 1";

const PIECES: readonly string[] = [
  "'",
  '"',
  "''",
  '""',
  "`",
  ";",
  "--",
  "/*",
  "*/",
  "*",
  "**",
  "^",
  ":",
  "-",
  "+",
  "(",
  ")",
  "{",
  "}",
  "[",
  "]",
  "AND",
  "OR",
  "NOT",
  "NEAR(",
  "NEAR(a b, 5)",
  "NEAR/3",
  "MATCH",
  "rank:",
  "text:a",
  "-a",
  "+a",
  "^a",
  "a*",
  '"a b"',
  '"a',
  "' OR '1'='1",
  "'; DROP TABLE chunk; --",
  "UNION SELECT sql FROM sqlite_schema",
  "x' AND randomblob(1e9) --",
  "%",
  "_",
  "?",
  "?1",
  "$1",
  ":a",
  "@a",
  "\0",
  "a\0b",
  "\u0001",
  "\t",
  "\r\n",
  "\n",
  "\v",
  "\u0085",
  "\u2028",
  "\ufeff",
  "\u200b",
  "\u00ad",
  "😀",
  "👩‍👩‍👧",
  "🇩🇪",
  "e\u0301",
  "\u0301\u0301\u0301",
  "\ud800",
  "\udfff",
  "\udc00\ud800",
  "\uffff",
  "\u{10ffff}",
  "\u202e",
  "\u2066abc\u2069",
  "שלום",
  "مرحبا",
  "漢字",
  "ﬁ",
  "İ",
  "ß",
  "\\",
  "\\\\",
  "\\x00",
  "\\u0000",
  "\\p{L}",
  "${a}",
  "{{a}}",
  "<script>",
  "%00",
  "%2e%2e/",
  "../../etc/passwd",
  "/dev/zero",
  "C:\\",
  "\\\\server\\share",
  "file:///etc/passwd",
  "~",
  "#",
  "a#b#c",
  ":1-",
  ":0",
  "a:99999999999999999999-1",
  "NaN",
  "Infinity",
  "-1",
  "null",
  "__proto__",
  "constructor",
  "toString",
  "aardvark",
  "open",
  "src/a.ts",
];

/** Places for a text, and the other arguments of the call. */
const PLACES: readonly (readonly [tool: string, input: (text: string) => object])[] = [
  ["search_context", (query) => ({ query })],
  ["search_context", (path) => ({ query: "aardvark", path })],
  ["search_context", (cursor) => ({ query: "aardvark", cursor })],
  ["search_context", (language) => ({ query: "aardvark", language })],
  ["search_text", (pattern) => ({ pattern })],
  ["search_text", (pattern) => ({ pattern, whole_word: true, case_sensitive: true })],
  ["search_text", (pattern) => ({ pattern, regex: true })],
  ["search_text", (cursor) => ({ pattern: "a", cursor })],
  ["find_symbol", (name) => ({ name })],
  ["find_symbol", (path) => ({ name: "open", path })],
  ["read_context", (target) => ({ targets: [target, `src/a.ts#${target}`, `src/a.ts:${target}`] })],
  ["find_references", (symbol) => ({ symbol })],
  ["find_references", (path) => ({ symbol: "open", path })],
  ["outline", (path) => ({ path })],
  ["find_related", (target) => ({ target })],
  ["analyze_impact", (target) => ({ target })],
  ["index_status", (namespace) => ({ namespace })],
  ["search_context", (namespace) => ({ query: "aardvark", namespace })],
  ["index_source", (source) => ({ source: `/nowhere/${source}`, wait_ms: 0 })],
  ["index_source", (namespace) => ({ source: "/nowhere", namespace })],
  ["list_changes", (since) => ({ since, namespace: "gone" })],
  ["set_monitor", (name) => ({ action: "delete", name })],
];
/** These calls start a run over the files, or git, each time. */
const COSTLY: readonly (typeof PLACES)[number][] = [
  ["list_changes", (since) => ({ since })],
  ["list_changes", (monitor) => ({ monitor })],
  ["list_changes", (path) => ({ path })],
  ["set_monitor", (query) => ({ action: "create", query })],
  ["set_monitor", (pattern) => ({ action: "create", pattern })],
  ["set_monitor", (symbol) => ({ action: "create", symbol })],
  ["set_monitor", (path) => ({ action: "create", path })],
];
/** Words of the underlying engines; no error of svc contains them. */
const ENGINES =
  /sqlite|syntax error|fts5|malformed MATCH|unterminated|no such (?:column|table)|SyntaxError|TypeError|RangeError|at Object\.|node:internal/i;

promise(
  [31],
  "no text in any argument causes an internal error, or reveals the syntax of the storage",
  async () => {
    const project = createProject({
      "src/a.ts": "export function open(): void {}\nexport const aardvark = '\"NEAR(';\n",
      "docs/a.md": "# The aardvark\n\n😀 ' OR '1'='1\n",
    });
    onTestFinished(project.dispose);
    await project.engine.index(request());
    const peer = openSession({ engine: () => Promise.resolve(project.engine), tools });
    const random = seeded(SEED);
    const count = sized({ quick: 400, full: 20_000 });
    for (let at = 1; at <= count; at += 1) {
      const place = random.pick(at % 100 === 0 ? COSTLY : PLACES);
      const text = hostileText(random);
      const params = { name: place[0], arguments: place[1](text) };
      // eslint-disable-next-line no-await-in-loop -- one call after the other
      const reply = await peer.request(
        "tools/call",
        random.chance(0.5) ? params : modernParams(params),
      );
      peer.sent.length = 0;
      const where = `${SEED}, call ${at}: ${JSON.stringify(params).slice(0, 400)}`;
      expect({ where, problem: problemWith(reply, text) }).toEqual({ where, problem: undefined });
    }
    return count;
  },
);

function hostileText(random: Random): string {
  const joined = Array.from({ length: 1 + random.below(4) }, () => random.pick(PIECES)).join(
    random.pick(["", " ", "a"]),
  );
  if (!random.chance(0.04)) return joined;
  // The maximum length of a question, and longer.
  return joined
    .repeat(Math.ceil(10_000 / joined.length))
    .slice(0, random.pick([1000, 9999, 10_000, 10_001]));
}

function problemWith({ error, result }: Wire, text: string): string | undefined {
  const failure = error ?? (result?.["isError"] === true ? result : undefined);
  if (failure === undefined) return undefined;
  const words = JSON.stringify(failure);
  if (/INTERNAL_ERROR|INDEX_UNAVAILABLE/.test(words)) return words;
  // svc may repeat the caller's own words to it.
  const [shown] = ENGINES.exec(words) ?? [];
  return shown === undefined || text.toLowerCase().includes(shown.toLowerCase())
    ? undefined
    : words;
}
