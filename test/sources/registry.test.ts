import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { isNamespaceName } from "../../src/sources/namespace.ts";
import { Registry } from "../../src/sources/registry.ts";
import { tree } from "../helpers/tree.ts";

/** An empty registry and a function that creates folders. */
function call(): { registry: Registry; data: string; folder: (path: string) => string } {
  const { path, dispose } = tree();
  const data = join(path, "data");
  const registry = new Registry(data);
  onTestFinished(() => {
    registry.close();
    dispose();
  });
  const folder = (name: string): string => {
    mkdirSync(join(path, name), { recursive: true });
    return join(path, name);
  };
  return { registry, data, folder };
}

test("a workspace becomes a namespace named after its folder, and keeps it", () => {
  const { registry, folder } = call();
  const root = folder("My Project");
  expect(registry.ensureWorkspace(root)).toBe("my-project");
  expect(registry.ensureWorkspace(root)).toBe("my-project");
  expect(registry.namespaces()).toEqual(["my-project"]);
  expect(registry.has("my-project")).toBe(true);
  expect(registry.sources("my-project")).toMatchObject([
    { root, prefix: "", include: [], exclude: [] },
  ]);
});

test("folders of the same name get separate namespaces", () => {
  const { registry, folder } = call();
  const names = ["a/app", "b/app", "c/app"].map((name) => registry.ensureWorkspace(folder(name)));
  expect(names).toEqual(["app", "app-2", "app-3"]);
});

test.each(["...", "😀", "x".repeat(200), "Größe", "-", "a b/c d"])(
  "a folder named %j gets a valid namespace name",
  (name) => {
    const { registry, folder } = call();
    for (const parent of ["one", "two"]) {
      const namespace = registry.ensureWorkspace(folder(join(parent, name)));
      expect([namespace, isNamespaceName(namespace)]).toEqual([namespace, true]);
    }
  },
);

test("a folder that is already a source is the workspace of its namespace, also through a link", () => {
  const { registry, folder } = call();
  const root = folder("lib");
  registry.addSource("team", { root });
  symlinkSync(root, join(folder("links"), "alias"));
  expect(registry.ensureWorkspace(join(folder("links"), "alias"))).toBe("team");
  expect(registry.namespaceOf(root)).toBe("team");
  expect(registry.namespaceOf(folder("other"))).toBeUndefined();
});

test("the first source has no prefix, the others their folder's name, made unique", () => {
  const { registry, folder } = call();
  const prefixes = ["app", "x/lib", "y/lib", "z/lib"].map(
    (name) => registry.addSource("team", { root: folder(name) }).prefix,
  );
  expect(prefixes).toEqual(["", "lib/", "lib-2/", "lib-3/"]);
});

test("a prefix never hides a folder of the first source", () => {
  const { registry, folder } = call();
  folder("app/docs");
  registry.addSource("team", { root: folder("app") });
  expect(registry.addSource("team", { root: folder("docs") }).prefix).toBe("docs-2/");
});

test("adding a source again changes only the given globs", () => {
  const { registry, folder } = call();
  const root = folder("app");
  const first = registry.addSource("team", { root, include: ["*.ts"], exclude: ["dist/"] });
  expect(registry.addSource("team", { root })).toEqual(first);
  expect(registry.addSource("team", { root, exclude: [] })).toEqual({ ...first, exclude: [] });
  expect(registry.sources("team")).toHaveLength(1);
});

test("namespaces have separate sources", () => {
  const { registry, folder } = call();
  const root = folder("app");
  registry.addSource("one", { root });
  registry.addSource("two", { root });
  expect(registry.sources("one").map((source) => source.root)).toEqual([root]);
  expect(registry.sources("two").map((source) => source.root)).toEqual([root]);
  expect(registry.sources("three")).toEqual([]);
  expect(registry.namespaceOf(root)).toBe("one");
});

test("a folder that does not exist changes nothing", () => {
  const { registry, folder } = call();
  const root = folder("app");
  renameSync(root, `${root}-moved`);
  expect(() => registry.addSource("team", { root })).toThrow("ENOENT");
  expect(() => registry.ensureWorkspace(root)).toThrow("ENOENT");
  expect(registry.namespaces()).toEqual([]);
});

test("other connections see an added source at once", () => {
  const { registry, data, folder } = call();
  const other = new Registry(data);
  onTestFinished(() => other.close());
  registry.addSource("team", { root: folder("app") });
  expect(other.sources("team")).toEqual(registry.sources("team"));
});

test("many processes that open the registry at once all get their namespace", async () => {
  const { registry, folder } = call();
  const data = folder("fresh");
  const module = JSON.stringify(new URL("../../src/sources/registry.ts", import.meta.url));
  const children = [1, 2, 3, 4].map((at) => {
    const root = folder(`p${at}/app`);
    const program = `const { Registry } = await import(${module});
      const registry = new Registry(${JSON.stringify(data)});
      process.stdout.write(registry.ensureWorkspace(${JSON.stringify(root)}));
      registry.close();`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let name = "";
    child.stdout.on("data", (chunk: Buffer) => (name += chunk.toString()));
    return once(child, "close").then(([code]) => `${String(code)} ${name}`);
  });
  const names = await Promise.all(children);
  expect(names.toSorted()).toEqual(["0 app", "0 app-2", "0 app-3", "0 app-4"]);
  expect(registry.namespaces()).toEqual([]);
}, 30_000);

test("only the owner can access the registry", () => {
  const { data } = call();
  expect(statSync(data).mode & 0o777).toBe(0o700);
  expect(statSync(join(data, "registry.db")).mode & 0o777).toBe(0o600);
});

test.each([
  ["a file", "file"],
  ["below a file", "file/below"],
])("a data directory that is %s gives an error that says so", (_, where) => {
  const { path, dispose } = tree({ file: "" });
  onTestFinished(dispose);
  expect(() => new Registry(join(path, where))).toThrow(
    expect.objectContaining({
      code: "INDEX_UNAVAILABLE",
      message: "The data directory cannot be written.",
      hint: expect.stringContaining("svc doctor"),
    }),
  );
});
