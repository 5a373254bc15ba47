import { expect, onTestFinished, test } from "vitest";

import type { ApiChangesRequest, ApiChangesResult } from "../../../src/engine/api/api-changes.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { createProject, request } from "../../helpers/project.ts";

type Files = Readonly<Record<string, string | undefined>>;
type Limits = Partial<Pick<ApiChangesRequest, "path" | "limit" | "at">>;

/** Compares a commit with the work tree, or with `at`. */
async function compared(before: Files, now: Files, limits: Limits = {}): Promise<ApiChangesResult> {
  const repository = gitRepository();
  const project = createProject({}, { workspace: () => repository.path, onDisk: true });
  onTestFinished(async () => {
    await project.dispose();
    repository.dispose();
  });
  repository.commit(before, "Begin");
  repository.git("tag", "v1");
  repository.commit(now, "Go on");
  repository.git("tag", "v2");
  await project.engine.index(request());
  return project.engine.apiChanges({ ...request(), since: "v1", limit: 100, ...limits });
}

/** `change name -> newName what parameter` of each, with `!` after what breaks users. */
function found({ changes }: ApiChangesResult): readonly string[] {
  return changes.map(({ change, name, newName, isBreaking, details }) =>
    [
      `${change}${isBreaking ? "!" : ""} ${name}${newName === "" ? "" : ` -> ${newName}`}`,
      ...details.map(({ what, parameter }) => (parameter === "" ? what : `${what} ${parameter}`)),
    ].join("; "),
  );
}

const PORT = [
  'import { log } from "./log.ts";',
  "export interface Port { name: string; depth?: number }",
  "export function openPort(name: string): Port {",
  "  return { name };",
  "}",
  "export function measure(port: Port, unit: string): number {",
  "  log(port.name);",
  "  return port.name.length + unit.length;",
  "}",
  "export function internal(): void {}",
  "",
].join("\n");
const PACKAGE = JSON.stringify({
  name: "harbour",
  exports: { ".": { types: "./dist/types/index.d.ts" } },
});
const SCRIPTS = {
  "package.json": PACKAGE,
  "src/index.ts":
    'export { openPort, measure as gauge, type Port } from "./port.ts";\nexport * from "./crane.ts";\n',
  "src/port.ts": PORT,
  "src/crane.ts":
    "export class Crane extends Base {\n  lift(weight: number): void {}\n  protected turn(): void {}\n}\nexport class Base {\n  stop(): void {}\n}\n",
  "src/log.ts": "export function log(text: string): void {}\n",
  "src/use.ts":
    'import { openPort } from "./port.ts";\nexport function run(): void {\n  openPort("north");\n}\n',
  "test/port.test.ts": "export function helper(): void {}\n",
};

test("a package of TypeScript has the exports of its entry points, under their names for users", async () => {
  const result = await compared(SCRIPTS, {
    "src/index.ts":
      'export { openPort, type Port } from "./port.ts";\nexport * from "./crane.ts";\n',
    "src/port.ts": PORT.replace("openPort(name: string)", "openPort(name: string, depth: number)")
      .replace("depth?: number", "depth: number")
      .replace("internal()", "internal(a: string)"),
    "src/crane.ts": SCRIPTS["src/crane.ts"].replace(
      "protected turn",
      "lower(): void {}\n  protected turn",
    ),
    "src/log.ts": "export function log(text: string, level: number): void {}\n",
    "test/port.test.ts": "",
  });
  expect(found(result)).toEqual([
    "removed! harbour.gauge",
    "signature! harbour.Port.depth; made required",
    "signature! harbour.openPort; parameter added depth",
    "added harbour.Crane.lower",
  ]);
  expect(result).toMatchObject({
    since: "v1",
    at: "",
    breaking: 3,
    compatible: 0,
    added: 1,
    hasMore: false,
  });
  expect(result.changes[2]).toMatchObject({
    path: "src/port.ts",
    line: 3,
    oldSignature: "export function openPort(name: string): Port",
    signature: "export function openPort(name: string, depth: number): Port",
    users: [{ path: "src/use.ts", line: 3, symbol: "run", certainty: "exact" }],
    userCount: 1,
  });
});

test("what moved or was renamed is found by its text, and what is inherited is not gone", async () => {
  const body = "  const all = read(one);\n  log(all);\n  return all.length;\n}\n";
  const result = await compared(
    {
      "package.json": PACKAGE,
      "src/index.ts":
        'export * from "./a.ts";\nexport class Base {\n  stop(): void {}\n}\nexport class Crane extends Base {\n  stop(): void {}\n}\nexport function handle(a: string): void {}\n',
      "src/a.ts": `export function countAll(one: string): number {\n${body}`,
    },
    {
      "src/index.ts":
        'export * from "./b.ts";\nexport class Base {\n  stop(): void {}\n}\nexport class Crane extends Base {}\n',
      "src/a.ts": undefined,
      "src/b.ts": `export function countEach(one: string): number {\n${body}`,
    },
  );
  expect(found(result)).toEqual([
    "removed! harbour.handle",
    "renamed! harbour.countAll -> harbour.countEach",
  ]);
});

test("modules of Python have names without an underscore, and those in __all__", async () => {
  const result = await compared(
    {
      "src/harbour/__init__.py": "from .core import Port as Port\nfrom .core import open_port\n",
      "src/harbour/core.py":
        "class _Base:\n    def stop(self): ...\n\nclass Port(_Base):\n    def __init__(self, name): ...\n    def _hidden(self): ...\n    @property\n    def depth(self): ...\n\ndef open_port(name, *, depth=1): ...\ndef _private(): ...\n",
      "src/harbour/listed.py": '__all__ = ["one"]\ndef one(a): ...\ndef two(a): ...\n',
      "src/harbour/_hidden.py": "def gone(): ...\n",
      "tests/test_port.py": "from harbour import open_port\nopen_port('a', depth=2)\n",
    },
    {
      "src/harbour/core.py":
        "class Port:\n    def __init__(self, name, /): ...\n    @property\n    def depth(self): ...\n\ndef open_port(name, *, deep=1): ...\n",
      "src/harbour/listed.py": '__all__ = ["one"]\ndef one(a, b): ...\n',
      "src/harbour/_hidden.py": "",
    },
  );
  expect(found(result)).toEqual([
    "signature! harbour.Port; bases; inherited members removed",
    "signature! harbour.Port.__init__; parameter given differently name",
    "signature! harbour.listed.one; parameter added b",
    "signature! harbour.open_port; parameter removed depth; optional parameter added deep",
  ]);
  const opened = result.changes.find(({ name }) => name === "harbour.open_port");
  expect(opened).toMatchObject({
    aliases: ["harbour.core.open_port"],
    users: [{ path: "tests/test_port.py", line: 2, certainty: "exact" }],
  });
});

test("packages of Go have names with a capital letter, and internal ones have no users outside", async () => {
  const result = await compared(
    {
      "go.mod": "module example.com/harbour\n",
      "port.go":
        "package harbour\n\ntype Port struct {\n\tName string\n\tdepth int\n}\n\nfunc (p *Port) Open(a, b int) error { return nil }\nfunc (p *Port) close() {}\n",
      "dock/dock.go": "package dock\n\nfunc Gone(a string) {}\n",
      "internal/x.go": "package internal\n\nfunc Gone(a string) {}\n",
      "cmd/main.go": "package main\n\nfunc Gone() {}\n",
    },
    {
      "port.go": "package harbour\n\ntype Port struct {\n\tName string\n}\n",
      "open.go": "package harbour\n\nfunc (p *Port) Open(a int, b string) error { return nil }\n",
      "dock/dock.go": "package dock\n",
      "internal/x.go": "package internal\n",
      "cmd/main.go": "package main\n",
    },
  );
  expect(found(result)).toEqual([
    "removed! example.com/harbour/dock.Gone",
    "signature! example.com/harbour.Port.Open; parameter type b",
  ]);
});

test("crates of Rust have what public modules and pub use lead to", async () => {
  const result = await compared(
    {
      "Cargo.toml": '[package]\nname = "harbour"\n',
      "src/lib.rs": "mod port;\npub mod dock;\nmod hidden;\npub use port::Port;\n",
      "src/port.rs":
        "pub struct Port { pub name: String }\nimpl Port {\n    pub fn open(&self, a: u8) {}\n    fn close(&self) {}\n}\npub fn unseen(a: u8) {}\n",
      "src/dock.rs": "pub fn gone(a: u8) {}\npub(crate) fn own(a: u8) {}\n",
      "src/hidden.rs": "pub fn gone(a: u8) {}\n",
    },
    {
      "src/port.rs":
        "pub struct Port { pub name: String }\nimpl Port {\n    pub fn open(&self, a: u16) {}\n}\n",
      "src/dock.rs": "pub fn arrived(a: u64) -> u64 { a }\n",
      "src/hidden.rs": "",
    },
  );
  expect(found(result)).toEqual([
    "removed! harbour::dock::gone",
    "signature! harbour::Port::open; parameter type a",
    "added harbour::dock::arrived",
  ]);
});

test("Java has public and protected members of public types, and C what headers declare", async () => {
  const result = await compared(
    {
      "src/main/java/a/Port.java":
        "package a;\npublic class Port {\n  public void open(int a) {}\n  protected void turn() {}\n  void own() {}\n  private void hidden() {}\n}\nclass Other {\n  public void open() {}\n}\n",
      "include/harbour.h": "int harbour_open(const char *name);\nint harbour_close(void);\n",
      "src/own.h": "int harbour_own(void);\n",
      "src/harbour.c": "static int helper(void) { return 1; }\n",
    },
    {
      "src/main/java/a/Port.java":
        "package a;\npublic class Port {\n  public void open(long a) {}\n}\n",
      "include/harbour.h":
        "int harbour_open(const char *name, int depth);\nint harbour_close(void);\n",
      "src/own.h": "",
    },
  );
  expect(found(result)).toEqual([
    "removed! a.Port.turn",
    "signature! a.Port.open; parameter type a",
    "signature! harbour_open; parameter added depth",
  ]);
});

test("a path and a limit narrow the changes, and any two commits can be compared", async () => {
  const files = {
    "a/one.py": "def one(a): ...\n",
    "a/__init__.py": "",
    "b/two.py": "def two(a): ...\n",
    "b/__init__.py": "",
  };
  const now = { "a/one.py": "def one(): ...\n", "b/two.py": "def two(): ...\n" };
  expect(found(await compared(files, now, { path: "b/**" }))).toEqual([
    "signature! b.two.two; parameter removed a",
  ]);
  const limited = await compared(files, now, { limit: 1, at: "v2" });
  expect(limited).toMatchObject({
    at: "v2",
    breaking: 2,
    hasMore: true,
    changes: [{ name: "a.one.one" }],
  });
  expect((await compared(files, now, { at: "v1" })).changes).toEqual([]);
});

test("a version that is not there, and a project without commits, are errors", async () => {
  const repository = gitRepository();
  const project = createProject({}, { workspace: () => repository.path, onDisk: true });
  onTestFinished(async () => {
    await project.dispose();
    repository.dispose();
  });
  repository.commit({ "a.py": "def f(): ...\n" }, "Begin");
  await project.engine.index(request());
  const asked = project.engine.apiChanges({ ...request(), since: "v9", limit: 10 });
  await expect(asked).rejects.toMatchObject({
    code: "INVALID_PARAMS",
    message: expect.stringContaining('"v9"'),
  });
  const plain = createProject({ "a.py": "def f(): ...\n" });
  onTestFinished(() => plain.dispose());
  await plain.engine.index(request());
  const none = plain.engine.apiChanges({ ...request(), since: "v1", limit: 10 });
  await expect(none).rejects.toMatchObject({
    code: "INVALID_PARAMS",
    message: expect.stringContaining("not in a git repository"),
  });
});

test("R: what NAMESPACE exports is public", async () => {
  const before = {
    NAMESPACE:
      '# Generated by roxygen2\n\nexport(strip)\nexport(trim, "align")\nS3method(print, text)\n',
    "R/strip.R":
      "strip <- function(string, sgr = TRUE) {\n  helper(string)\n}\n\nhelper <- function(x) x\n\ntrim <- function(x) x\n\nalign <- function(x, ...) x\n",
  };
  const result = await compared(before, {
    NAMESPACE: "export(strip)\nexport(align)\nexport(hash)\n",
    "R/strip.R":
      "strip <- function(string, sgr = TRUE, link) {\n  helper(string, 1)\n}\n\nhelper <- function(x, y) x\n\ntrim <- function(x) x\n\nalign <- function(x, ..., width = 8) x\n\nhash <- function(x) x\n",
  });
  expect(found(result)).toEqual([
    "removed! trim",
    "signature! strip; parameter added link",
    "signature align; optional parameter added width",
    "added hash",
  ]);
});
