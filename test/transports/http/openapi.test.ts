import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";

import { productVersion } from "../../../src/base/assets.ts";
import { REST_CALLS } from "../../../src/tools/rest/rest-calls.ts";
import { openApiDocument } from "../../../src/transports/http/openapi.ts";
import { ask, committed, KEY, search, serveProject, TOKEN, type Answer } from "./serve-project.ts";

const FILES = {
  "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n",
  "docs/moon.md": "# Moon\n\nThe moon makes the tide.\n",
  "src/tide.ts": "export function turnTide(): void {}\n",
  "test/tide.test.ts": "test('the tide', () => turnTide());\n",
};

interface Response {
  readonly $ref?: string;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Record<string, Response> }>>>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: object }>>;
  };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its form is what the first test is about
const DOCUMENT = JSON.parse(JSON.stringify(openApiDocument(productVersion()))) as Document;
// An OpenAPI document has more members than a schema; its schemas are found by their place in it.
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(DOCUMENT, "document");

/** Returns the violations of the document in a response; empty if it conforms. */
function problems(path: string, method: string, { status, headers, body }: Answer): unknown {
  const response = DOCUMENT.paths[path]?.[method]?.responses[String(status)];
  if (response === undefined) return `${status} is not described`;
  const place = `#/paths/${path.replaceAll("/", "~1")}/${method}/responses/${status}`;
  const type = String(headers["content-type"]);
  const at = `${response.$ref ?? place}/content/${type.replaceAll("/", "~1")}/schema`;
  const validate = ajv.getSchema(`document${at}`);
  if (validate === undefined) return `${status} with ${type} is not described`;
  const value: unknown = type === "application/json" ? JSON.parse(body) : body;
  return validate(value) ? undefined : validate.errors;
}

function isGoodQuestion(body: unknown): boolean {
  return ajv.validate("document#/components/schemas/SearchQuestion", body);
}

function codeOf({ status, body }: Answer): string {
  return `${status} ${/"error_code":"(\w+)"/.exec(body)?.[1] ?? "ok"}`;
}

function ownMembers(name: string): readonly string[] {
  return Object.keys(DOCUMENT.components.schemas[name]?.properties ?? {}).toSorted();
}

test("the document is valid, and served to everybody", async () => {
  const server = await serveProject({});
  const answer = await ask(server, "/openapi.json");
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(answer.body)).toEqual({
    ...DOCUMENT,
    info: { ...DOCUMENT.info, version: "0.8.0" },
  });
  expect(DOCUMENT.info.version).toBe(productVersion());
  const validator = new Validator();
  expect(await validator.validate(JSON.parse(answer.body))).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
  // Throws for a dangling reference.
  expect(validator.resolveRefs()).toMatchObject({ openapi: "3.1.1" });
});

test("an invalid document is detected", async () => {
  const broken = { ...DOCUMENT, paths: { "/v1/search": { post: { responses: 200 } } } };
  expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
});

test("exactly the described paths exist", async () => {
  const server = await serveProject({}, { refresh: async () => ({ finished: Promise.resolve() }) });
  const described = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
  );
  const answers = await Promise.all(
    described.map(({ path, method }) =>
      ask(server, path.replace("{namespace}", "project").replace("{segment}", "lq3k-0a1b2c3d"), {
        method,
        headers: { Authorization: `Bearer ${TOKEN}` },
      }),
    ),
  );
  const statuses = answers.map(({ status }, at) => `${described[at]?.path} ${status}`);
  // A POST without a body is refused for the missing body.
  expect(statuses).toEqual([
    "/v1/search 401",
    ...REST_CALLS.map(({ path }) => `${path} 401`),
    "/v1/namespaces 401",
    "/v1/namespaces/{namespace}/refresh 202",
    // This server does not share indexes.
    "/v1/namespaces/{namespace}/index 403",
    "/v1/namespaces/{namespace}/index/{segment} 403",
    "/mcp 415",
    // A GET that does not listen.
    "/mcp 405",
    "/healthz 200",
    "/readyz 200",
    "/metrics 200",
    "/openapi.json 200",
  ]);
  const start = 7 + REST_CALLS.length;
  const gets = answers.slice(start).map((answer, at) => {
    const path = described[at + start]?.path ?? "";
    return problems(path, "get", answer);
  });
  expect(gets).toEqual([undefined, undefined, undefined, undefined]);
});

test("responses are as described, on every page, and have no other member", async () => {
  const server = await serveProject(FILES);
  let cursor: string | undefined;
  let pages = 0;
  do {
    const answer = await search(server, { query: "turn of the tide", limit: 1, cursor });
    expect(codeOf(answer)).toBe("200 ok");
    expect(problems("/v1/search", "post", answer)).toBeUndefined();
    const body = JSON.parse(answer.body);
    expect(Object.keys(body).toSorted()).toEqual(
      // Only a poor match shows that one.
      ownMembers("SearchAnswer").filter((name) => name !== "weak"),
    );
    expect(Object.keys(body.results[0])).toHaveLength(9);
    cursor = body.next_cursor ?? undefined;
    pages += 1;
  } while (cursor !== undefined);
  expect(pages).toBeGreaterThan(1);
  const nothing = await search(server, { query: "zebra", path: "nowhere/**" });
  expect(problems("/v1/search", "post", nothing)).toBeUndefined();
  expect(JSON.parse(nothing.body).results).toEqual([]);
});

test("the responses of the calls that show code are as described", async () => {
  const server = await serveProject(FILES);
  const path = "src/tide.ts";
  const bodies: Readonly<Record<string, object>> = {
    "/v1/text": { pattern: "tide", context_lines: 1, limit: 1 },
    "/v1/symbols": { name: "turnTide" },
    "/v1/folder": { path: "src" },
    "/v1/file": { path },
    "/v1/colors": { path },
    "/v1/name": { path, line: 1, column: 20 },
    "/v1/references": { symbol: "turnTide" },
    "/v1/why": { path, start_line: 1, end_line: 3 },
  };
  committed(server.project.root, "first");
  for (const call of REST_CALLS) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = await ask(server, call.path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": KEY },
      body: JSON.stringify(bodies[call.path]),
    });
    expect([call.path, codeOf(answer)]).toEqual([call.path, "200 ok"]);
    expect(problems(call.path, "post", answer)).toBeUndefined();
    const record = JSON.parse(answer.body);
    expect(Object.keys(record).toSorted()).toEqual(
      Object.keys(Object(call.answer["properties"])).toSorted(),
    );
    const damaged = JSON.stringify({ ...record, namespace: 3 });
    expect(problems(call.path, "post", { ...answer, body: damaged })).toHaveLength(1);
  }
});

test("a full response is as described, and has whole passages", async () => {
  const long = Array.from({ length: 60 }, (_, at) => `  const tide${at} = turnTide(${at});`);
  const text = ["export function turnTides(): void {", ...long, "", "", "}"].join("\n");
  const server = await serveProject({ ...FILES, "src/tides.ts": text });
  const full = await search(server, { query: "turnTides", detail: "full", max_tokens: 20_000 });
  expect(problems("/v1/search", "post", full)).toBeUndefined();
  const body = JSON.parse(full.body);
  expect(Object.keys(body).toSorted()).toEqual(ownMembers("FullSearchAnswer"));
  expect(body).toMatchObject({ weak: false, respelled: [], building: null, partial: [] });
  expect(body.results[0]).toMatchObject({ path: "src/tides.ts", start_line: 1, changed: false });
  const { start_line: start, end_line: end } = body.results[0];
  expect(body.results[0].text).toBe(
    text
      .split("\n")
      .slice(start - 1, end)
      .join("\n"),
  );
  const mistyped = await search(server, { query: "turnTidse", detail: "full" });
  expect(problems("/v1/search", "post", mistyped)).toBeUndefined();
  expect(JSON.parse(mistyped.body).respelled).toEqual([{ from: "Tidse", to: "Tides" }]);
  const damaged = [
    { ...body, building: "yes" },
    { ...body, respelled: [{ from: "tidse" }] },
    { ...body, results: [{ ...body.results[0], changed: undefined }] },
  ].map((one) => problems("/v1/search", "post", { ...full, body: JSON.stringify(one) }));
  expect(damaged.every(Array.isArray)).toBe(true);
  // With a small budget there are fewer lines, each of them whole.
  const tight = await search(server, { query: "turnTides", detail: "full", max_tokens: 300 });
  const lines: string[] = JSON.parse(tight.body).results[0].text.split("\n");
  expect(lines.length).toBeLessThan(end - start + 1);
  expect(lines).toEqual(text.split("\n").slice(0, lines.length));
});

test("a response that is not as described is detected", async () => {
  const server = await serveProject(FILES);
  const answer = await search(server, { query: "turn of the tide" });
  const body = JSON.parse(answer.body);
  const damaged = [
    { ...body, took_ms: "3" },
    { ...body, next_cursor: undefined },
    { ...body, results: [{ ...body.results[0], kind: "prose" }] },
    { ...body, results: [{ ...body.results[0], start_line: 0 }] },
  ];
  const found = damaged.map((one) =>
    problems("/v1/search", "post", { ...answer, body: JSON.stringify(one) }),
  );
  expect(found.map((one) => Array.isArray(one) && one.length)).toEqual([1, 1, 1, 1]);
});

test("the texts of a page stay within the requested tokens", async () => {
  const lines = Array.from({ length: 40 }, (_, at) => `The tide of day ${at} turns twice.\n`);
  const pages = [1, 2, 3].map((at) => [`docs/${at}.md`, `# Tides ${at}\n\n${lines.join("")}`]);
  const server = await serveProject(Object.fromEntries(pages));
  const textOf = async (max_tokens: number): Promise<number> => {
    const answer = await search(server, { query: "turn of the tide", max_tokens });
    expect(problems("/v1/search", "post", answer)).toBeUndefined();
    const { results }: { readonly results: readonly { readonly text: string }[] } = JSON.parse(
      answer.body,
    );
    return results.reduce((sum, { text }) => sum + text.length, 0) / 4;
  };
  const [few, many] = [await textOf(150), await textOf(1000)];
  expect(few).toBeLessThanOrEqual(150);
  expect(many).toBeGreaterThan(few);
  expect(many).toBeLessThanOrEqual(1000);
});

test("refusals are as described", async () => {
  const server = await serveProject({}, { limits: { bodyBytes: 1000, allBodiesBytes: 10_000 } });
  const json = { "Content-Type": "application/json" };
  const post = (headers: Readonly<Record<string, string>>, body = '{"query":"tides"}') =>
    ask(server, "/v1/search", { method: "POST", headers: { ...json, ...headers }, body });
  const keyed = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    search(server, body, headers);
  const answers = [
    await keyed("{"),
    await keyed(3),
    await keyed({ query: "x" }),
    await keyed({ query: "tides", limit: 0 }),
    await post({}),
    await post({ Authorization: `Bearer ${TOKEN}` }),
    await keyed({ query: "tides" }, { Origin: "http://evil.example.org" }),
    await ask(server, "/v1/search", { headers: { "X-API-Key": KEY } }),
    await keyed({ query: "tides" }, { Accept: "text/html" }),
    await keyed({ query: "x".repeat(2000) }),
    await keyed({ query: "tides" }, { "Content-Type": "text/plain" }),
    await keyed({ query: "tides" }, { "X-Long": "x".repeat(20_000) }),
  ];
  expect(answers.map(codeOf)).toEqual([
    "400 PARSE_ERROR",
    "400 INVALID_PARAMS",
    "400 INVALID_QUERY",
    "400 INVALID_PARAMS",
    "401 UNAUTHENTICATED",
    "401 UNAUTHENTICATED",
    "403 FORBIDDEN",
    "405 METHOD_NOT_ALLOWED",
    "406 NOT_ACCEPTABLE",
    "413 MESSAGE_TOO_LARGE",
    "415 UNSUPPORTED_MEDIA_TYPE",
    "431 HEADERS_TOO_LARGE",
  ]);
  const found = answers.map((answer) => problems("/v1/search", "post", answer));
  expect(found).toEqual(answers.map(() => undefined));
  expect(answers[4]?.headers["www-authenticate"]).toBe('Bearer realm="svc"');
});

test("the response to too many attempts is as described, with Retry-After", async () => {
  const server = await serveProject({});
  const attempts = Array.from({ length: 11 }, () =>
    search(server, { query: "tides" }, { "X-API-Key": "wrong" }),
  );
  const answers = await Promise.all(attempts);
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(1);
  expect(answers.map((answer) => problems("/v1/search", "post", answer))).toEqual(
    answers.map(() => undefined),
  );
  expect(Number(limited[0]?.headers["retry-after"])).toBeGreaterThan(0);
});

test("failures of the server are as described", async () => {
  const full = await serveProject({}, { limits: { allBodiesBytes: 1 } });
  const shed = await search(full, { query: "tides" });
  expect(codeOf(shed)).toBe("503 OVERLOADED");
  expect(problems("/v1/search", "post", shed)).toBeUndefined();
  expect(shed.headers["retry-after"]).toBe("1");
  const broken = await serveProject(
    {},
    { authenticate: () => Promise.reject(new Error("the store has gone")) },
  );
  const faulty = await search(broken, { query: "tides" });
  expect(codeOf(faulty)).toBe("500 INTERNAL_ERROR");
  expect(problems("/v1/search", "post", faulty)).toBeUndefined();
  const unready = await serveProject({}, { ready: () => Promise.reject(new Error("no disk")) });
  const answer = await ask(unready, "/readyz");
  expect(codeOf(answer)).toBe("503 OVERLOADED");
  expect(problems("/readyz", "get", answer)).toBeUndefined();
});

test("the server accepts exactly the queries that the document allows", async () => {
  const server = await serveProject(FILES);
  const questions = [
    { query: "tide" },
    { query: "tide", kind: "docs", limit: 50, max_tokens: 100, path: "docs/**" },
    { query: "tide", kind: ["docs", "code"], language: "markdown" },
    { query: "𝒳𝒳𝒳" },
    { query: "𝒳𝒳" },
    { query: "ab" },
    { query: "x".repeat(10_001) },
    {},
    { query: 3 },
    { query: "tide", kind: "prose" },
    { query: "tide", limit: 51 },
    { query: "tide", limit: 1.5 },
    { query: "tide", max_tokens: 99 },
    { query: "tide", namespace: "project" },
    { query: "tide", path: 7 },
    { query: "tide", detail: "full" },
    { query: "tide", detail: "whole" },
    [],
    "tide",
    null,
  ];
  const taken = await Promise.all(
    questions.map(async (question) => (await search(server, question)).status === 200),
  );
  expect(taken).toEqual(questions.map(isGoodQuestion));
  expect(taken.filter(Boolean)).toHaveLength(6);
});
