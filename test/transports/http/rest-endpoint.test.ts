// The calls that show code, over the index of a project, with a key.
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { REST_CALLS } from "../../../src/tools/rest/rest-calls.ts";
import { REST_PATHS } from "../../../src/transports/http/rest-endpoint.ts";
import { request } from "../../helpers/project.ts";
import { tree } from "../../helpers/tree.ts";
import {
  ask,
  callTool,
  committed,
  KEY,
  serveProject,
  TOKEN,
  type ServedProject,
} from "./serve-project.ts";

const FILES = {
  "src/tide.ts": [
    "/** Turns the tide. */",
    "export function turnTide(height: number): number {",
    '  return height * 2; // "twice"',
    "}",
    "",
  ].join("\n"),
  "src/moon.ts": [
    'import { turnTide } from "./tide.ts";',
    "",
    "export class Moon {",
    "  rise(): number {",
    "    return turnTide(3);",
    "  }",
    "}",
    "",
  ].join("\n"),
  "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n",
  ".env": "TIDE_PASSWORD=ebb-and-flow-4711\n",
  "image.bin": "\0\u0001\u0002",
};

interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- what it is depends on the call
  readonly body: any;
}

async function call(
  server: Pick<ServedProject, "port">,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const answer = await ask(server, path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": KEY, ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: JSON.parse(answer.body) };
}

function codeOf({ status, body }: Reply): string {
  return `${status} ${body.error?.data?.error_code ?? "ok"}`;
}

test("the paths are those of the definitions", () => {
  expect(["/v1/search", ...REST_CALLS.map(({ path }) => path)]).toEqual(REST_PATHS);
});

test("folders list their files and folders", async () => {
  const server = await serveProject(FILES);
  const root = await call(server, "/v1/folder", {});
  expect(root.body).toMatchObject({ namespace: "project", path: "", folders: ["docs", "src"] });
  const source = await call(server, "/v1/folder", { path: "src/" });
  expect(source.body).toMatchObject({ path: "src", folders: [] });
  expect(source.body.files).toEqual([
    { name: "moon.ts", language: "typescript", kind: "code", bytes: 108, skipped: "" },
    { name: "tide.ts", language: "typescript", kind: "code", bytes: 108, skipped: "" },
  ]);
  expect(codeOf(await call(server, "/v1/folder", { path: "nowhere" }))).toBe("400 PATH_NOT_FOUND");
  expect(codeOf(await call(server, "/v1/folder", { path: "../" }))).toBe("400 PATH_NOT_FOUND");
});

test("a file of a git repository has the commit of HEAD, for links", async () => {
  const server = await serveProject(FILES);
  const { root } = server.project;
  const git = committed(root, "first");
  const { body: file } = await call(server, "/v1/file", { path: "src/tide.ts" });
  expect(file.commit).toBe(git("rev-parse", "HEAD"));

  // A link by this commit shows the file as it was, also when the index has moved on.
  const first = file.commit;
  const link = { path: "src/tide.ts", commit: first };
  expect((await call(server, "/v1/file", link)).body).toEqual({ ...file, past: false });
  writeFileSync(join(root, "src/tide.ts"), "export const ebb = 1;\n");
  git("rm", "-q", "-f", "src/moon.ts");
  git("commit", "-qam", "second");
  await server.project.engine.index(request());
  const { body: past } = await call(server, "/v1/file", { ...link, commit: first.slice(0, 8) });
  const { path, text, symbols, version } = file;
  const changed = { path, text, symbols, version, commit: first, past: true, local_path: "" };
  expect(past).toMatchObject({ ...changed, changed: false });
  const { body: colors } = await call(server, "/v1/colors", link);
  expect(colors.version).toBe(version);
  expect(colors.pieces.length).toBeGreaterThan(0);
  const gone = await call(server, "/v1/file", { ...link, path: "src/moon.ts" });
  expect(gone.body).toMatchObject({ past: true, commit: first, language: "typescript" });
  expect((await call(server, "/v1/file", { path })).body).toMatchObject({
    text: "export const ebb = 1;",
    past: false,
    commit: git("rev-parse", "HEAD"),
  });
  for (const commit of ["0123456789abcdef", "HEAD", first.slice(0, 6)]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(codeOf(await call(server, "/v1/file", { path, commit }))).toBe("400 INVALID_PARAMS");
  }
  expect(codeOf(await call(server, "/v1/file", { ...link, path: ".env" }))).toContain("400");
  expect(codeOf(await call(server, "/v1/file", { ...link, path: "../x" }))).toContain("400");
});

test("a file has its text, outline and colors, of the same version", async () => {
  const server = await serveProject(FILES);
  const { body: file } = await call(server, "/v1/file", { path: "src/tide.ts" });
  expect(file).toMatchObject({
    path: "src/tide.ts",
    language: "typescript",
    kind: "code",
    text: FILES["src/tide.ts"].trimEnd(),
    lines: 4,
    binary: false,
    changed: false,
    local_path: join(server.project.root, "src/tide.ts"),
    commit: "",
    symbols: [{ name: "turnTide", kind: "function", start_line: 1, end_line: 4, depth: 0 }],
  });
  const { body: colors } = await call(server, "/v1/colors", { path: "src/tide.ts" });
  expect(colors.version).toBe(file.version);
  const shown: string[] = [];
  for (let at = 0, end = 0; at < colors.pieces.length; at += 3) {
    const [gap, length, kind] = colors.pieces.slice(at, at + 3);
    shown.push(`${colors.kinds[kind]} ${file.text.slice(end + gap, end + gap + length)}`);
    end += gap + length;
  }
  expect(shown).toEqual([
    "comment /** Turns the tide. */",
    "keyword export",
    "keyword function",
    "function turnTide",
    "type number",
    "type number",
    "keyword return",
    "literal 2",
    'comment // "twice"',
  ]);
  expect((await call(server, "/v1/colors", { path: "docs/tides.md" })).body.pieces).toBeNull();
  const { body: binary } = await call(server, "/v1/file", { path: "image.bin" });
  expect(binary).toMatchObject({ binary: true, text: "", lines: 0 });
});

test("a changed file has its present text, and says that it changed", async () => {
  const server = await serveProject(FILES);
  writeFileSync(join(server.project.root, "src/tide.ts"), "export const ebb = 1;\n");
  const { body } = await call(server, "/v1/file", { path: "src/tide.ts" });
  expect(body).toMatchObject({ changed: true, text: "export const ebb = 1;", lines: 1 });
});

test("a name has its definitions, signature and comment", async () => {
  const server = await serveProject(FILES);
  const at = async (path: string, line: number, column: number) =>
    (await call(server, "/v1/name", { path, line, column })).body;
  const tide = {
    path: "src/tide.ts",
    start_line: 1,
    end_line: 4,
    name_line: 2,
    name: "turnTide",
    symbol: "turnTide",
    kind: "function",
    signature: "function turnTide(height: number): number",
    doc: "Turns the tide.",
    certainty: "exact",
  };
  const used = await at("src/moon.ts", 5, 14);
  expect(used).toMatchObject({ name: "turnTide", column: 12, role: "call" });
  expect(used.definitions).toEqual([{ ...tide, signature: used.definitions[0].signature }]);
  expect(used.definitions[0].signature).toContain("turnTide(height: number): number");
  expect(await at("src/tide.ts", 2, 17)).toMatchObject({ role: "definition", name: "turnTide" });
  expect(await at("src/moon.ts", 5, 5)).toMatchObject({ name: "return", definitions: [] });
  expect(await at("src/moon.ts", 2, 1)).toMatchObject({ name: "", column: 0, definitions: [] });
  expect(await at("src/moon.ts", 900, 1)).toMatchObject({ name: "" });
});

test("the commits behind lines are listed, without their messages and patches", async () => {
  const server = await serveProject(FILES);
  const { root } = server.project;
  const git = committed(root, "Turn it\n\nA long story.");
  const first = git("rev-parse", "HEAD");
  writeFileSync(join(root, "src/tide.ts"), FILES["src/tide.ts"].replace("* 2", "* 3"));
  git("commit", "-qam", "Turn it thrice (#12)");
  const why = async (start: number, end: number, more: object = {}): Promise<Reply> =>
    call(server, "/v1/why", { path: "src/tide.ts", start_line: start, end_line: end, ...more });
  const { status, body } = await why(2, 3);
  expect([status, body.more_commits, body.uncommitted_lines, body.partial]).toEqual([
    200,
    0,
    [],
    [],
  ]);
  const common = { author: "me", date: expect.stringMatching(/^\d{4}-/), merged: "" };
  expect(body.commits).toEqual([
    {
      ...common,
      commit: git("rev-parse", "HEAD"),
      subject: "Turn it thrice (#12)",
      why: ["wrote line 3"],
      issues: ["#12"],
    },
    { ...common, commit: first, subject: "Turn it", why: expect.any(Array), issues: [] },
  ]);
  const { body: least } = await why(2, 3, { limit: 1 });
  expect([least.commits.length, least.more_commits]).toEqual([1, 1]);
  expect(codeOf(await why(1, 1, { path: "src/none.ts" }))).toBe("400 PATH_NOT_FOUND");
  expect(codeOf(await why(1, 1, { path: ".env" }))).toBe("400 PATH_NOT_FOUND");
  expect(codeOf(await why(0, 1))).toBe("400 INVALID_PARAMS");
  const plain = await serveProject({ "a.ts": "1;\n" });
  const refused = await call(plain, "/v1/why", { path: "a.ts", start_line: 1, end_line: 1 });
  expect(codeOf(refused)).toBe("400 INVALID_PARAMS");
});

test("references are exact or by name, with the definition around them", async () => {
  const server = await serveProject(FILES);
  const { body } = await call(server, "/v1/references", {
    symbol: "src/tide.ts#turnTide",
    relation: "callers",
  });
  expect(body).toMatchObject({ exact: 1, by_name: 0, files: 1, next_cursor: null });
  expect(body.references).toEqual([
    {
      path: "src/moon.ts",
      line: 5,
      text: "return turnTide(3);",
      symbol: "Moon.rise",
      role: "call",
      certainty: "exact",
    },
  ]);
});

test("text and definitions are searched with filters", async () => {
  const server = await serveProject(FILES);
  const lines = async (body: object): Promise<string[]> => {
    const found = await call(server, "/v1/text", body);
    return found.body.matches.map(
      (one: { path: string; line: number }) => `${one.path}:${one.line}`,
    );
  };
  expect(await lines({ pattern: "twice" })).toEqual(["docs/tides.md:3", "src/tide.ts:3"]);
  expect(await lines({ pattern: "twice", path: ["!docs/**", "*.ts"] })).toEqual(["src/tide.ts:3"]);
  expect(await lines({ pattern: "twice", language: "!typescript" })).toEqual(["docs/tides.md:3"]);
  expect(await lines({ pattern: "twice", kind: ["docs"] })).toEqual(["docs/tides.md:3"]);
  expect(
    await lines({ pattern: "turn\\w+\\(", regex: true, language: ["typescript", "go"] }),
  ).toEqual(["src/moon.ts:5", "src/tide.ts:2"]);
  expect(codeOf(await call(server, "/v1/text", { pattern: "(", regex: true }))).toBe(
    "400 INVALID_PATTERN",
  );
  const { body } = await call(server, "/v1/symbols", { name: "turnTide" });
  expect(body).toMatchObject({ total: 1, approximate: false, next_cursor: null });
  expect(body.symbols[0]).toMatchObject({ path: "src/tide.ts", name_line: 2, used_in_files: 1 });
});

test("nothing outside of the root and no secret is shown", async () => {
  const server = await serveProject(FILES);
  const outside = tree({ "passwd.txt": "outside-the-root" });
  symlinkSync(join(outside.path, "passwd.txt"), join(server.project.root, "src/link.txt"));
  symlinkSync(outside.path, join(server.project.root, "linked"));
  const paths = [
    "../passwd.txt",
    "/etc/passwd",
    "src/link.txt",
    "linked/passwd.txt",
    ".env",
    "src\0.ts",
  ];
  for (const path of paths) {
    for (const [target, body] of [
      ["/v1/file", { path }],
      ["/v1/colors", { path }],
      ["/v1/name", { path, line: 1, column: 1 }],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const reply = await call(server, target, body);
      expect([path, target, reply.status]).toEqual([path, target, 400]);
      expect(JSON.stringify(reply.body)).not.toMatch(/outside-the-root|ebb-and-flow|root:/);
    }
  }
  outside.dispose();
});

test("secrets in a file are masked, also in its outline", async () => {
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
  const server = await serveProject({ "a.ts": `export const key = "${secret}";\n` });
  for (const path of ["/v1/file", "/v1/name", "/v1/text", "/v1/symbols", "/v1/references"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const reply = await call(server, path, bodyFor(path));
    expect([path, reply.status]).toEqual([path, 200]);
    expect(JSON.stringify(reply.body)).not.toContain(secret);
  }
});

function bodyFor(path: string): object {
  const bodies: Readonly<Record<string, object>> = {
    "/v1/file": { path: "a.ts" },
    "/v1/name": { path: "a.ts", line: 1, column: 15 },
    "/v1/text": { pattern: "key" },
    "/v1/symbols": { name: "key" },
    "/v1/references": { symbol: "a.ts#key" },
  };
  return bodies[path] ?? {};
}

test("another namespace, another credential and a wrong body are refused, and each call is audited", async () => {
  const server = await serveProject(FILES);
  const { engine, root } = server.project;
  committed(root, "first");
  await engine.index({ ...request(), source: root, namespace: "other" });
  for (const { path } of REST_CALLS) {
    const body = {
      path: "src/tide.ts",
      line: 1,
      column: 1,
      start_line: 1,
      end_line: 2,
      pattern: "tide",
      name: "tide",
      symbol: "turnTide",
    };
    const own = Object.fromEntries(
      Object.entries(body).filter(([key]) => membersOf(path).includes(key)),
    );
    const given = path === "/v1/folder" ? { path: "src" } : own;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const replies = [
      await call(server, path, given),
      await call(server, path, { ...given, namespace: "other" }),
      await call(server, path, { ...given, namespace: "nowhere" }),
      await call(server, path, given, { "X-API-Key": "" }),
      await call(server, path, given, { "X-API-Key": "", Authorization: `Bearer ${TOKEN}` }),
      await call(server, path, [given]),
      await call(server, path, { ...given, nmaespace: "project" }),
    ];
    expect([path, ...replies.map(codeOf)]).toEqual([
      path,
      "200 ok",
      "400 NAMESPACE_NOT_FOUND",
      "400 NAMESPACE_NOT_FOUND",
      "401 UNAUTHENTICATED",
      "401 UNAUTHENTICATED",
      "400 INVALID_PARAMS",
      "400 INVALID_PARAMS",
    ]);
    expect(JSON.stringify(replies[1]?.body)).not.toContain('other"');
  }
  const events = server.audited.filter(
    ({ tool, principal }) => tool === "/v1/references" && principal !== null,
  );
  expect(
    events.map(({ principal, namespace, outcome }) => [principal, namespace, outcome]),
  ).toEqual([
    ["key_1", "project", "ok"],
    ["key_1", "other", "NAMESPACE_NOT_FOUND"],
    ["key_1", "nowhere", "NAMESPACE_NOT_FOUND"],
    ["key_1", "project", "INVALID_PARAMS"],
    ["key_1", "project", "INVALID_PARAMS"],
  ]);
  expect(events[0]).toMatchObject({ query: "turnTide", outcome: "ok" });
  const called = server.audited.map(({ tool }) => tool);
  expect(new Set([...called, "/v1/search"])).toEqual(new Set(REST_PATHS));
});

function membersOf(path: string): readonly string[] {
  return Object.keys(Object(REST_CALLS.find((one) => one.path === path)?.body["properties"]));
}

test("an absolute path is for clients on the machine of the server only", async () => {
  const server = await serveProject(FILES, {
    isBehindProxy: true,
    allowHosts: ["code.example.org"],
  });
  const pathFor = async (headers: Readonly<Record<string, string>>): Promise<string> =>
    (await call(server, "/v1/file", { path: "src/tide.ts" }, headers)).body.local_path;
  expect(await pathFor({})).toBe(join(server.project.root, "src/tide.ts"));
  expect(await pathFor({ "X-Forwarded-For": "127.0.0.1" })).toBe("");
  expect(await pathFor({ "X-Forwarded-For": "203.0.113.9" })).toBe("");
  expect(await pathFor({ Host: "code.example.org" })).toBe("");
});

test("each call is counted under its path, and a path that a tool is named after is not", async () => {
  const server = await serveProject(FILES);
  await call(server, "/v1/file", { path: "src/tide.ts" });
  await callTool(server, "/v1/file", {});
  const { body } = await ask(server, "/metrics");
  const counts = body.split("\n").filter((line) => /^svc_calls_total\{.*(?:file|other)/.test(line));
  expect(counts.map((line) => line.replaceAll(/svc_calls_total|[{}"]/g, "")).toSorted()).toEqual([
    "tool=/v1/file,outcome=ok 1",
    "tool=other,outcome=TOOL_NOT_FOUND 1",
  ]);
});
