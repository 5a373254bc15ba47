import { connect } from "node:net";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { defineTool } from "../../../src/tools/tool.ts";
import { request } from "../../helpers/project.ts";
import {
  ask,
  callTool,
  NARROW_TOKEN,
  search,
  serveProject,
  TOKEN,
  type Answer,
  type ServedProject,
} from "./serve-project.ts";

const FILES = {
  "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n",
  "src/lamp.ts": "export function lightLamp(): void {}\n",
};
const BEARER = { Authorization: `Bearer ${TOKEN}` };

function metrics(
  server: Pick<ServedProject, "port">,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return ask(server, "/metrics", { headers });
}

const NAME = "[a-z_]+";
const LABEL = `${NAME}="[^"\\\\\\n]*"`;
const LINES = {
  help: new RegExp(`^# HELP ${NAME} \\S`),
  type: new RegExp(`^# TYPE (?<name>${NAME}) (?:counter|gauge|histogram)$`),
  sample: new RegExp(
    `^(?<key>(?<name>${NAME})(?:\\{${LABEL}(?:,${LABEL})*\\})?) (?<value>\\d+(?:\\.\\d+)?(?:e-?\\d+)?)$`,
  ),
};

/** Returns values by name and labels, as written. Throws when the format is wrong. */
function samplesOf({ status, body }: Answer): ReadonlyMap<string, number> {
  if (status !== 200 || !body.endsWith("\n")) throw new Error(`${status}: ${body}`);
  const samples = new Map<string, number>();
  let family = "";
  for (const line of body.trimEnd().split("\n")) {
    if (LINES.help.test(line)) continue;
    const {
      name = "",
      key,
      value,
    } = (LINES.type.exec(line) ?? LINES.sample.exec(line))?.groups ?? {};
    if (key === undefined) family = name;
    else if (samples.has(key)) throw new Error(`twice: ${line}`);
    else samples.set(key, Number(value));
    const isOfFamily = ["", "_bucket", "_sum", "_count"].some((end) => name === family + end);
    if (name === "" || !isOfFamily) throw new Error(`out of place: ${line}`);
  }
  return samples;
}

function outcomeOf({ status, body }: Answer): string {
  return `${status} ${/"error_code":"(\w+)"/.exec(body)?.[1] ?? "ok"}`;
}

test("calls are counted by tool and outcome, with the time they took", async () => {
  const server = await serveProject(FILES);
  await callTool(server, "search_context", { query: "turn of the tide" });
  await callTool(server, "search_context", { query: "x" });
  await callTool(server, "search_context", { query: "lamp light" });
  await search(server, { query: "turn of the tide" });
  await search(server, { query: "x" });
  const samples = samplesOf(await metrics(server));
  expect(Object.fromEntries(samples)).toMatchObject({
    'svc_calls_total{tool="search_context",outcome="ok"}': 2,
    'svc_calls_total{tool="search_context",outcome="INVALID_QUERY"}': 1,
    'svc_calls_total{tool="/v1/search",outcome="ok"}': 1,
    'svc_calls_total{tool="/v1/search",outcome="INVALID_QUERY"}': 1,
    'svc_calls_total{tool="outline",outcome="ok"}': 0,
    'svc_call_duration_seconds_count{tool="search_context"}': 3,
    'svc_call_duration_seconds_bucket{tool="search_context",le="+Inf"}': 3,
    'svc_call_duration_seconds_count{tool="/v1/search"}': 2,
    'svc_refusals_total{error_code="INVALID_QUERY"}': 2,
    svc_calls_in_flight: 0,
    svc_calls_waiting: 0,
  });
  expect(samples.get('svc_call_duration_seconds_sum{tool="search_context"}')).toBeGreaterThan(0);
});

test("names made up by clients create no time series", async () => {
  const server = await serveProject(FILES);
  const names = ["made_up", 'quoted"\n', "/v1/search", "toString", "x".repeat(500)];
  for (const name of names) await callTool(server, name, {});
  await ask(server, "/made/up");
  const answer = await metrics(server);
  expect(samplesOf(answer).get('svc_calls_total{tool="other",outcome="TOOL_NOT_FOUND"}')).toBe(5);
  expect(samplesOf(answer).get('svc_calls_total{tool="/v1/search",outcome="ok"}')).toBe(0);
  expect(answer.body).not.toMatch(/made|quoted|toString|xxx/);
});

test("refusals are counted by error code, including requests that never became a call", async () => {
  const server = await serveProject(FILES);
  await search(server, {}, { "X-API-Key": "wrong" });
  await search(server, "{");
  await search(server, {}, { "Content-Type": "text/plain" });
  await ask(server, "/nowhere");
  await ask(server, "/mcp", {
    method: "POST",
    headers: { ...BEARER, "Content-Type": "application/json" },
    body: '[{"jsonrpc":"2.0","id":1,"method":"nothing"},{"jsonrpc":"2.0","id":2,"method":"none"}]',
  });
  const raw = connect({ port: server.port, host: "127.0.0.1" });
  raw.end("this is not HTTP\r\n\r\n");
  expect(await text(raw)).toMatch(/^HTTP\/1\.1 400 /);
  const samples = samplesOf(await metrics(server));
  const refusals = [...samples].filter(([name]) => name.startsWith("svc_refusals_total"));
  expect(Object.fromEntries(refusals)).toEqual({
    'svc_refusals_total{error_code="UNAUTHENTICATED"}': 1,
    'svc_refusals_total{error_code="PARSE_ERROR"}': 1,
    'svc_refusals_total{error_code="UNSUPPORTED_MEDIA_TYPE"}': 1,
    'svc_refusals_total{error_code="ENDPOINT_NOT_FOUND"}': 1,
    'svc_refusals_total{error_code="METHOD_NOT_FOUND"}': 2,
    'svc_refusals_total{error_code="INVALID_REQUEST"}': 1,
  });
});

test("running calls are counted while they run", async () => {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const slow = defineTool({
    name: "search_text",
    title: "Slow",
    group: "search",
    description: "Slow.",
    readOnly: true,
    input: {},
    async run() {
      begun.resolve();
      await released.promise;
      return {};
    },
  });
  const server = await serveProject(FILES, {}, [slow]);
  const called = callTool(server, "search_text", {});
  await begun.promise;
  expect(samplesOf(await metrics(server)).get("svc_calls_in_flight")).toBe(1);
  released.resolve();
  expect((await called).status).toBe(200);
  expect(samplesOf(await metrics(server)).get("svc_calls_in_flight")).toBe(0);
});

test("index metrics are by namespace for a token for all namespaces, and totals for others", async () => {
  const server = await serveProject(FILES);
  const whole = samplesOf(await metrics(server, BEARER));
  const [status] = await server.project.engine.status({
    ...request(),
    detail: "summary",
  });
  expect(status?.files).toBe(2);
  expect(Object.fromEntries(whole)).toMatchObject({
    'svc_index_files{namespace="project"}': 2,
    'svc_index_chunks{namespace="project"}': status?.chunks,
    'svc_index_bytes{namespace="project"}': status?.bytes,
    'svc_index_generation{namespace="project"}': status?.generation,
    'svc_index_degraded{namespace="project"}': 0,
  });
  const local = await metrics(server);
  expect(local.body).not.toMatch(/namespace=|project/);
  expect(samplesOf(local).get("svc_index_files")).toBe(2);
});

test("memory, processor time, start and version of the process are reported", async () => {
  const server = await serveProject(FILES);
  const answer = await metrics(server);
  expect(answer.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  const samples = samplesOf(answer);
  expect(samples.get('svc_build_info{version="0.8.0"}')).toBe(1);
  expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(2 ** 20);
  expect(samples.get("process_cpu_seconds_total")).toBeGreaterThan(0);
  const start = samples.get("process_start_time_seconds") ?? 0;
  expect(start).toBeGreaterThan(Date.now() / 1000 - 24 * 3600);
  expect(start).toBeLessThan(Date.now() / 1000);
});

test("without a credential only programs on this machine may read them, and no proxy", async () => {
  const server = await serveProject({}, { allowHosts: ["code.example.org"] });
  const outcomeFor = async (headers: Readonly<Record<string, string>>): Promise<string> =>
    outcomeOf(await metrics(server, headers));
  const host = { Host: "code.example.org" };
  expect(await outcomeFor({})).toBe("200 ok");
  expect(await outcomeFor({ Host: `localhost:${server.port}` })).toBe("200 ok");
  expect(await outcomeFor({ Host: `[::1]:${server.port}` })).toBe("200 ok");
  expect(await outcomeFor(host)).toBe("401 UNAUTHENTICATED");
  expect(await outcomeFor({ ...host, ...BEARER })).toBe("200 ok");
  const added = ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"];
  expect(await Promise.all(added.map((name) => outcomeFor({ [name]: "127.0.0.1" })))).toEqual(
    added.map(() => "401 UNAUTHENTICATED"),
  );
  const absolute = await ask(server, "http://code.example.org/metrics");
  expect(outcomeOf(absolute)).toBe("401 UNAUTHENTICATED");
  expect(absolute.headers["www-authenticate"]).toBe('Bearer realm="svc"');
});

test("behind a proxy nobody may read them without a credential", async () => {
  const server = await serveProject({}, { isBehindProxy: true });
  expect(outcomeOf(await metrics(server))).toBe("401 UNAUTHENTICATED");
  expect(outcomeOf(await metrics(server, BEARER))).toBe("200 ok");
});

test("a credential for only some namespaces is refused, on this machine too", async () => {
  const server = await serveProject({});
  const outcomeFor = async (secret: string): Promise<string> =>
    outcomeOf(await metrics(server, { Authorization: `Bearer ${secret}` }));
  expect(await outcomeFor(NARROW_TOKEN)).toBe("403 FORBIDDEN");
  expect(await outcomeFor("token-unknown")).toBe("401 UNAUTHENTICATED");
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => outcomeFor("token-unknown")));
  expect(outcomes).toContain("429 RATE_LIMITED");
});

test("metrics can be read, not written", async () => {
  const server = await serveProject({});
  const posted = await ask(server, "/metrics", { method: "POST" });
  expect(outcomeOf(posted)).toBe("405 METHOD_NOT_ALLOWED");
  expect(posted.headers.allow).toBe("GET, HEAD");
  const head = await ask(server, "/metrics", { method: "HEAD" });
  expect([head.status, head.body]).toEqual([200, ""]);
  expect(Number(head.headers["content-length"])).toBeGreaterThan(0);
});

test("where the indexes cannot be opened the other metrics are reported, and the cause is logged", async () => {
  const server = await serveProject(
    {},
    {
      indexStatus: () => Promise.reject(new Error("the disk is gone")),
    },
  );
  const answer = await metrics(server, BEARER);
  expect(answer.body).not.toContain("svc_index");
  expect(samplesOf(answer).get("svc_calls_in_flight")).toBe(0);
  expect(server.log.map(({ message }) => message)).toContain(
    "the metrics lack those of the indexes",
  );
});

test("several collectors at once cost one read of the indexes", async () => {
  let looks = 0;
  const server = await serveProject(
    {},
    {
      indexStatus: () => Promise.resolve(((looks += 1), [])),
    },
  );
  await Promise.all(Array.from({ length: 5 }, () => metrics(server)));
  expect(looks).toBe(1);
});
