// The index of a namespace over HTTP, as other machines fetch it.
import { gunzipSync } from "node:zlib";

import { expect, test, onTestFinished } from "vitest";

import type { ExportedIndex } from "../../../src/base/exported-index.ts";
import { offeredPath } from "../../../src/transports/http/index-endpoint.ts";
import { createProject, request } from "../../helpers/project.ts";
import { ask, KEY, NARROW_TOKEN, serveProject, TOKEN } from "./serve-project.ts";
import { rawAsk } from "./raw-ask.ts";

const PATH = "/v1/namespaces/project/index";
const BEARER = { Authorization: `Bearer ${TOKEN}` };

/** A server that shares the index of some files. */
async function serving({ sharesIndexes = true } = {}) {
  const project = createProject(
    {
      "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n",
      "src/a.ts": "export const a = 1;\n",
    },
    { namespace: "project", onDisk: true },
  );
  onTestFinished(() => project.dispose());
  await project.engine.index(request());
  return serveProject({}, { sharesIndexes }, undefined, project);
}

test("the list names files and segments, without times and sources; a segment comes in parts", async () => {
  const server = await serving();
  const list = await rawAsk(server, PATH, BEARER);
  expect([list.status, list.headers["content-type"]]).toEqual([200, "application/gzip"]);
  const { files, segments, ...rest }: ExportedIndex = JSON.parse(String(gunzipSync(list.body)));
  expect(rest).toMatchObject({ format: expect.any(Number), generation: 1, shards: 1 });
  expect(files.map(([path, hash]) => [path, hash.length])).toEqual([
    ["docs/tides.md", 32],
    ["src/a.ts", 32],
  ]);
  const [{ name, bytes } = { name: "", bytes: 0 }] = segments;
  const part = (range: string) => rawAsk(server, `${PATH}/${name}`, { ...BEARER, Range: range });
  const [whole, head, tail] = [
    await part("bytes=0-"),
    await part("bytes=0-9"),
    await part("bytes=10-"),
  ];
  expect(whole.headers["content-range"]).toBe(`bytes 0-${bytes - 1}/${bytes}`);
  expect(Buffer.concat([head.body, tail.body])).toEqual(whole.body);
  expect([whole.status, whole.body.length, head.body.length]).toEqual([206, bytes, 10]);
  const beyond = await part(`bytes=${bytes}-`);
  expect([beyond.status, beyond.headers["content-range"]]).toEqual([400, `bytes */${bytes}`]);
  expect(server.audited.slice(0, 2)).toMatchObject([
    {
      tool: "index",
      principal: "token_1",
      namespace: "project",
      outcome: "ok",
      characters: list.body.length,
    },
    { tool: "index", outcome: "ok", characters: bytes },
  ]);
});

test("who has this version gets no list, and who asks for any version neither", async () => {
  const server = await serving();
  const { headers } = await ask(server, PATH, { headers: BEARER });
  const conditions = [headers.etag ?? "", "*", '"another"'];
  const answers = await Promise.all(
    conditions.map((tag) => ask(server, PATH, { headers: { ...BEARER, "If-None-Match": tag } })),
  );
  expect(answers.map(({ status }) => status)).toEqual([304, 304, 200]);
});

test("a namespace of others is answered like one that does not exist, and a list names only segments of this index", async () => {
  const server = await serving();
  const narrow = { Authorization: `Bearer ${NARROW_TOKEN}` };
  const [others, absent] = await Promise.all(
    ["project", "absent00"].map((name) =>
      ask(server, `/v1/namespaces/${name}/index`, { headers: narrow }),
    ),
  );
  expect(others?.body.replaceAll("project", "absent00")).toBe(absent?.body);
  expect([others?.status, JSON.parse(others?.body ?? "").error.data.error_code]).toEqual([
    400,
    "NAMESPACE_NOT_FOUND",
  ]);
  const wrong = ["lq3k-0a1b2c3d", "catalog", "catalog-db"];
  const answers = await Promise.all(
    wrong.map((name) => ask(server, `${PATH}/${name}`, { headers: BEARER })),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test("without a token, with an API key, and with another method it is refused", async () => {
  const server = await serving();
  const answers = [
    await ask(server, PATH),
    await ask(server, PATH, { headers: { "X-API-Key": KEY } }),
    await ask(server, PATH, { method: "POST", headers: BEARER }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 405]);
});

test("a server that does not share its indexes says so to those with a token", async () => {
  const server = await serving({ sharesIndexes: false });
  const { status, body } = await ask(server, PATH, { headers: BEARER });
  expect([status, JSON.parse(body).error.data]).toMatchObject([
    403,
    { error_code: "FORBIDDEN", detail: expect.stringContaining("--share-indexes") },
  ]);
  expect(server.audited).toMatchObject([{ tool: "index", outcome: "FORBIDDEN" }]);
});

test("a namespace without an index, and a backend that cannot give it out, have their errors", async () => {
  const project = createProject({}, { namespace: "project", onDisk: true });
  onTestFinished(() => project.dispose());
  const inMemory = await serveProject({ "a.md": "# A\n" }, { sharesIndexes: true });
  const { body } = await ask(inMemory, PATH, { headers: BEARER });
  expect(JSON.parse(body).error.data).toMatchObject({ error_code: "INDEX_UNAVAILABLE" });
});

test.for<[string, ReturnType<typeof offeredPath>]>([
  ["/v1/namespaces/a.b/index", { namespace: "a.b", segment: undefined }],
  ["/v1/namespaces/a/index/lq3k-0a1b2c3d-1of4", { namespace: "a", segment: "lq3k-0a1b2c3d-1of4" }],
  ["/v1/namespaces/a/index/", undefined],
  ["/v1/namespaces/a/index/../catalog.db", undefined],
  ["/v1/namespaces/a/index/..%2fcatalog.db", undefined],
  ["/v1/namespaces/../index", undefined],
])("the path %s", ([path, offered]) => {
  expect(offeredPath(path)).toEqual(offered);
});
