// The answers for an agent that knows only a name, in a part of gin 1.8.1.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { createProject, request, type Project } from "../helpers/project.ts";
import { GIN_FILES } from "./gin-files.ts";

let gin: Project;
beforeAll(async () => {
  gin = createProject(GIN_FILES);
  await gin.engine.index(request());
}, 60_000);
afterAll(() => gin.dispose());

async function texts(tool: string, input: object): Promise<readonly string[]> {
  return (await gin.tool(tool, input)).items.map(({ text }) => text);
}

/** `path:line` of the first line of each definition or passage, in order. */
async function places(tool: string, input: object): Promise<readonly string[]> {
  const found = (await texts(tool, input)).map((text) => /(?:^|\s\s)(\S+:\d+)-\d+/.exec(text)?.[1]);
  return found.filter((place) => place !== undefined);
}

describe("search_context with a bare name returns its definition first", () => {
  test.each([
    ["Engine", "gin.go", "type Engine struct {"],
    ["RouterGroup", "routergroup.go", "type RouterGroup struct {"],
    ["Accounts", "auth.go", "type Accounts map[string]string"],
    ["Binding", "binding/binding.go", "type Binding interface {"],
    ["Engine.Handler", "gin.go", "func (engine *Engine) Handler() http.Handler {"],
    ["ServeHTTP", "gin.go", "func (engine *Engine) ServeHTTP("],
    ["New()", "gin.go", "func New() *Engine {"],
  ])("%s", async (query, path, line) => {
    const [first = ""] = await texts("search_context", { query });
    expect(first.startsWith(`${path}:`)).toBe(true);
    expect(first.split("\n").some((text) => text.startsWith(line))).toBe(true);
  });

  test("on the first page, and not again on the next", async () => {
    const first = await gin.tool("search_context", { query: "Engine", limit: 2 });
    const cursor = /cursor "([^"]+)"/.exec(first.text)?.[1];
    expect(first.text).toContain("gin.go:78-");
    const second = await places("search_context", { query: "Engine", limit: 10, cursor });
    expect(second.length).toBeGreaterThan(0);
    expect(second.filter((place) => place.startsWith("gin.go:"))).toEqual([]);
  });

  test("unless a filter leaves it out", async () => {
    const found = await places("search_context", { query: "Engine", path: "binding/" });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((place) => place.startsWith("binding/"))).toBe(true);
  });

  test("a sentence with the name in it is answered as before", async () => {
    const query = "how does the Engine find a validator";
    expect((await places("search_context", { query }))[0]).not.toBe("gin.go:78");
  });
});

describe("find_symbol puts types and top-level functions before methods, and these before fields", () => {
  test("the structure before the methods of its name", async () => {
    expect((await places("find_symbol", { name: "Engine" })).slice(0, 3)).toEqual([
      "gin.go:78",
      "binding/binding.go:63",
      "binding/default_validator.go:83",
    ]);
  });

  test("the function before methods, and code before tests", async () => {
    expect((await places("find_symbol", { name: "Bind" }))[0]).toBe("utils.go:21");
  });
});

describe("find_symbol takes what other languages call a kind", () => {
  test.each(["type", "struct", "class", "Struct", "interface", "record", "protocol"])(
    "%s for a structure",
    async (kind) => {
      expect((await places("find_symbol", { name: "Engine", kind }))[0]).toBe("gin.go:78");
    },
  );

  test.each(["function", "func", "method"])("%s for a method", async (kind) => {
    expect(await places("find_symbol", { name: "ServeHTTP", kind })).toEqual(["gin.go:565"]);
  });

  test.each(["field", "property", "constant", "variable"])("%s for a field", async (kind) => {
    const found = await places("find_symbol", { name: "RedirectFixedPath", kind });
    expect(found).toEqual(["gin.go:90"]);
  });

  test("a function is not a method where there is one of each", async () => {
    const found = await places("find_symbol", { name: "Bind", kind: "function" });
    expect(found).toEqual(["utils.go:21"]);
  });

  test("a field of a structure is called a field, a constant a constant", async () => {
    const [field = ""] = await texts("find_symbol", { name: "RedirectFixedPath" });
    const [constant = ""] = await texts("find_symbol", { name: "Version" });
    expect(field).toMatch(/^field RedirectFixedPath bool /);
    expect(constant).toMatch(/^constant Version = "v1.8.1" /);
  });
});

test("'used in N files' counts the files that use the definition, as find_references does", async () => {
  const all = await texts("find_symbol", { name: "Engine" });
  const counts = all.map((text) => Number(/used in (\d+) files?/.exec(text)?.[1] ?? 0));
  // The name is in four other files: three mean the structure, one the method of the validator.
  const [, inFiles] = /in (\d+) files?:/.exec(
    (await texts("find_references", { symbol: "gin.go#Engine" }))[0] ?? "",
  ) ?? ["", ""];
  expect(counts[0]).toBe(Number(inFiles));
  expect(counts[0]).toBe(3);
  expect(counts.slice(1, 3)).toEqual([0, 0]);
});

test("the signature of a method is whole whose name is part of its receiver's type", async () => {
  const all = await texts("find_symbol", { name: "Bind", kind: "method" });
  expect(all.find((text) => text.includes("binding/header.go"))).toMatch(
    /^method \(headerBinding\) Bind\(req \*http\.Request, obj any\) error {2}/,
  );
});

describe("read_context of a name with several definitions says which it took and where the others are", () => {
  test("of a bare name", async () => {
    const [engine = ""] = await texts("read_context", { targets: ["Engine"] });
    expect(engine.split("\n")[0]).toBe(
      'gin.go:78-167  Engine, of 704 lines, the likeliest "Engine" (2 other definitions: binding/binding.go:63, binding/default_validator.go:83)',
    );
  });

  test("of a name in a file", async () => {
    const [render = ""] = await texts("read_context", { targets: ["render/json.go#Render"] });
    expect(render.split("\n")[0]).toMatch(
      /^render\/json\.go:55-\d+ {2}JSON\.Render, .*\(5 other definitions: render\/json\.go:\d+, /,
    );
  });

  test("nothing of a name with one", async () => {
    const [only = ""] = await texts("read_context", { targets: ["RouterGroup"] });
    expect(only.split("\n")[0]).toBe("routergroup.go:52-59  RouterGroup, of 248 lines");
  });
});

test("the map of the root shows exported definitions that others depend on, and no fields", async () => {
  const { text } = await gin.tool("outline", {});
  const lines = text.split("\n");
  const ofGin = lines.slice(lines.indexOf("gin.go") + 1).slice(0, 5);
  expect(ofGin.some((line) => /^ {2}type Engine struct/.test(line))).toBe(true);
  expect(ofGin.some((line) => /^ {2}func New\(\)/.test(line))).toBe(true);
  expect(text).not.toMatch(/^ *RedirectFixedPath bool/m);
  expect(text).not.toMatch(/^ *Data any/m);
});

test("the imports of a Go file show its import lines", async () => {
  const all = await texts("find_references", { symbol: "gin.go", relation: "imports" });
  expect(all).toContain('render/render.go\ngin.go:18: "github.com/gin-gonic/gin/render"');
  expect(all.join("\n")).not.toContain("Copyright");
});

describe("a path that is not there is answered with the nearest paths", () => {
  test.each([
    ["nosuch.go", /^No file "nosuch\.go"\. In the same folder: (?:\w+\.go, ){2}\w+\.go\.$/],
    ["routegroup.go", /^No file "routegroup\.go"\. Nearest: routergroup\.go\.$/],
    [
      "bindng/json.go",
      /^No file "bindng\/json\.go"\. Nearest: binding\/json\.go, render\/json\.go\.$/,
    ],
    ["render/binding.go", /^No file "render\/binding\.go"\. Nearest: binding\/binding\.go\.$/],
    ["gin.rs", /^No file "gin\.rs"\. Nearest: gin\.go, ginS\/gins\.go\.$/],
    ["no/such/place", /outline/],
  ])("%s", async (target, expected) => {
    const read = gin.tool("read_context", { targets: [target] });
    await expect(read).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
    await expect(read).rejects.toHaveProperty("detail", expect.stringMatching(expected));
  });
});

/** For each language, a method in a file that comes first, and the type of the same name, which has many members. */
const LANGUAGES: readonly (readonly [language: string, files: Readonly<Record<string, string>>])[] =
  [
    [
      "TypeScript",
      {
        "a/factory.ts":
          "export class Factory {\n  /** Makes a Session. */\n  Session(): Session {\n    return new Session();\n  }\n}\n",
        "b/session.ts": `export class Session {\n${members((name) => `  ${name}(session: Session): void {\n    this.log(session, "${name}");\n  }\n`)}}\n`,
        "c/main.ts":
          'import { Session } from "../b/session.ts";\nexport const session = new Session();\n',
      },
    ],
    [
      "Python",
      {
        "a/factory.py": "class Factory:\n    def Session(self):\n        return Session()\n",
        "b/session.py": `class Session:\n${members((name) => `    def ${name}(self, session):\n        """Session of ${name}."""\n        self.log(session)\n`)}`,
        "c/main.py": "from b.session import Session\n\nsession = Session()\n",
      },
    ],
    [
      "Java",
      {
        "a/Factory.java":
          "package a;\n\npublic class Factory {\n  public Session Session() {\n    return new Session();\n  }\n}\n",
        "b/Session.java": `package b;\n\npublic class Session {\n  public Session() {}\n${members((name) => `  public void ${name}(Session session) {\n    log(session);\n  }\n`)}}\n`,
        "c/Main.java":
          "package c;\n\nimport b.Session;\n\npublic class Main {\n  Session session = new Session();\n}\n",
      },
    ],
    [
      "Rust",
      {
        "src/a.rs":
          "pub struct Factory;\n\nimpl Factory {\n    #[allow(non_snake_case)]\n    pub fn Session(&self) -> Session {\n        Session\n    }\n}\n",
        "src/b.rs": `pub struct Session;\n\nimpl Session {\n${members((name) => `    pub fn ${name}(&self, session: &Session) {\n        log(session);\n    }\n`)}}\n`,
        "src/main.rs": "use crate::b::Session;\n\nfn main() {\n    let session = Session;\n}\n",
      },
    ],
    [
      "C++",
      {
        "a/factory.hpp": "class Factory {\n public:\n  void Session();\n};\n",
        "b/session.hpp": `class Session {\n public:\n${members((name) => `  void ${name}(const Session &session) {\n    log(session);\n  }\n`)}};\n`,
        "c/main.cpp": '#include "../b/session.hpp"\n\nint main() {\n  Session session;\n}\n',
      },
    ],
  ];

function members(text: (name: string) => string): string {
  return Array.from({ length: 20 }, (_, at) => text(`close${at}`)).join("");
}

describe("in other languages a bare name finds its type, too", () => {
  test.each(LANGUAGES)("%s", async (_language, files) => {
    const project = createProject(files);
    onTestFinished(() => project.dispose());
    await project.engine.index(request());
    const type = Object.keys(files)[1] ?? "";
    const found = await project.tool("search_context", { query: "Session" });
    expect(found.items[0]?.text).toMatch(new RegExp(`^${type}:1-|^${type}:3-`));
    const symbols = await project.tool("find_symbol", { name: "Session", kind: "struct" });
    expect(symbols.items[0]?.text).toContain(`  ${type}:`);
    expect((await project.tool("find_symbol", { name: "Session" })).items[0]?.text).toContain(
      `  ${type}:`,
    );
  });
});
