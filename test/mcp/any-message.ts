// Random messages: each member valid, nearly valid, wrong or missing, in both eras of the protocol.
import * as fc from "fast-check";

import { isObject } from "../../src/mcp/message.ts";
import { tools } from "../../src/tools/registry.ts";
import { anyText } from "../helpers/any-text.ts";

export const METHODS: readonly string[] =
  `ping tools/list tools/call server/discover subscriptions/listen notifications/initialized
  notifications/cancelled notifications/progress prompts/list resources/read logging/setLevel constructor
  __proto__`.split(/\s+/);
const VERSIONS = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28",
  "1999-01-01",
];

/** Few ids, so that some are reused or cancelled while their request runs. */
const GOOD_IDS = [0, 1, 2, 3, -1, 2 ** 53 - 1, "", "0", "a", "🙂", "__proto__", "x".repeat(300)];
const goodId = fc.constantFrom(...GOOD_IDS);
const badId = fc.constantFrom<unknown>(null, 1.5, 2 ** 53, -1e300, true, [], {}, [1]);
const anyId = fc.oneof({ weight: 9, arbitrary: goodId }, { weight: 1, arbitrary: badId });

const deep: unknown = JSON.parse(`${"[".repeat(1500)}${"]".repeat(1500)}`);
const anyValue = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1e308,
      "",
      "x",
      [],
      {},
      [[]],
      "\ud800",
      "\u0000\u2028",
    ),
  },
  { weight: 8, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 8, arbitrary: anyText({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constant(deep) },
);

/** Argument name -> possible values. No folder, so that nothing is indexed. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  query: ["revoke a token", "revokeToken", "ab", "x".repeat(10_001), "(a+)+$"],
  pattern: ["revoke", "[", "(a|a)*b", "\\"],
  path: ["src/tokens.ts", "src", "**/*.ts", "../../etc/passwd", "/etc/passwd", "\0", ""],
  name: ["revokeToken", "revoke", "m", ""],
  symbol: ["revokeToken", "src/tokens.ts:1", "nobody"],
  target: ["revokeToken", "src/tokens.ts", "working", "HEAD", "src/tokens.ts:1-3"],
  targets: [["src/tokens.ts:1-2"], ["revokeToken", "nothing#x"], [], ["../x"], Array(21).fill("a")],
  source: ["/nonexistent/folder", "https://127.0.0.1:1/x.git", "file:///etc", "relative"],
  relation: ["references", "callers", "tests", "similar", "wrong"],
  since: ["0", "now", "HEAD", "2026-01-01"],
  action: ["list", "create", "delete"],
  kind: ["code", "tests", "function"],
  output: ["matches", "files", "count"],
  detail: ["summary", "skipped", "health"],
  limit: [1, 50, 0, 1e9, 1.5],
  depth: [1, 3, -1],
  max_tokens: [100, 2000, 20_001],
  wait_ms: [0, 1, -1],
  cursor: ["abc", "", "7"],
  namespace: ["project", "nobody"],
  language: ["typescript", "klingon"],
};

const anyCall = fc.constantFrom(...tools).chain(({ name, descriptor: { inputSchema } }) => {
  const { properties, required } = inputSchema;
  const keys = isObject(properties) ? Object.keys(properties) : [];
  const values = keys.map((key) => {
    const known = fc.constantFrom(...(ARGUMENTS[key] ?? [true, false]));
    return [
      key,
      fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: anyValue }),
    ] as const;
  });
  return fc.record({
    name: fc.constant(name),
    arguments: fc.record(Object.fromEntries(values), {
      requiredKeys: Array.isArray(required) ? required : [],
    }),
  });
});

const anyMeta = fc.record(
  {
    "io.modelcontextprotocol/protocolVersion": fc.oneof(
      { weight: 4, arbitrary: fc.constant<unknown>("2026-07-28") },
      { weight: 1, arbitrary: fc.constantFrom(...VERSIONS) },
      { weight: 1, arbitrary: anyValue },
    ),
    "io.modelcontextprotocol/clientCapabilities": fc.oneof(
      { weight: 4, arbitrary: fc.constant<unknown>({}) },
      { weight: 1, arbitrary: anyValue },
    ),
    progressToken: anyId,
  },
  { requiredKeys: [] },
);

const anyParams = fc.oneof(
  { weight: 3, arbitrary: fc.record({ _meta: anyMeta }) },
  { weight: 2, arbitrary: fc.record({ requestId: anyId }) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        _meta: anyMeta,
        notifications: fc.oneof(fc.constant({ toolsListChanged: true }), anyValue),
        cursor: anyValue,
        name: fc.oneof(fc.constantFrom("outline", "nothing"), anyValue),
        arguments: anyValue,
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: anyValue },
);

function anyRequest(methods: readonly string[]): fc.Arbitrary<unknown> {
  return fc.record(
    {
      jsonrpc: fc.oneof(
        { weight: 19, arbitrary: fc.constant<unknown>("2.0") },
        { weight: 1, arbitrary: anyValue },
      ),
      id: anyId,
      method: fc.oneof(
        { weight: 19, arbitrary: fc.constantFrom<unknown>(...methods) },
        { weight: 1, arbitrary: anyValue },
      ),
      params: anyParams,
      result: anyValue,
      ["constructor"]: anyValue,
    },
    { requiredKeys: ["jsonrpc"] },
  );
}

const anyCancel = goodId.map((requestId) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
}));
const anyToolCall = fc
  .tuple(goodId, anyCall, fc.option(anyMeta, { nil: undefined }))
  .map(([id, call, _meta]) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { ...call, _meta },
  }));

function anyMessage(methods: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 60, arbitrary: anyRequest(methods) },
    { weight: 2, arbitrary: anyToolCall },
    { weight: 5, arbitrary: anyCancel },
    { weight: 3, arbitrary: anyValue.filter((value) => !Array.isArray(value)) },
  );
}

/** Member names that could change an object's prototype or behaviour. */
function poisoned(text: string): string {
  return text.replace(
    /^\{(?!\})/,
    '{"__proto__":{"id":7,"method":"ping"},"constructor":{"prototype":{}},',
  );
}

/** Lines of one session with a protocol version; undefined for a session without `initialize`. */
export interface AnySession {
  readonly version: string | undefined;
  readonly lines: readonly string[];
}

export function anySession(length: number, methods = METHODS): fc.Arbitrary<AnySession> {
  const message = anyMessage(methods);
  const line = fc.oneof(
    { weight: 20, arbitrary: message.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: message.map((value) => poisoned(JSON.stringify(value))) },
    {
      weight: 2,
      arbitrary: fc.array(message, { maxLength: 6 }).map((batch) => JSON.stringify(batch)),
    },
    { weight: 1, arbitrary: message.map((value) => JSON.stringify(value).slice(0, -1)) },
    { weight: 1, arbitrary: anyText({ maxLength: 30 }) },
  );
  return fc.record({
    version: fc.constantFrom(undefined, ...VERSIONS.slice(0, 4)),
    lines: fc.array(line, { minLength: length, maxLength: length }),
  });
}
