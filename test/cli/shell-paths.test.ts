import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { ShellPaths } from "../../src/cli/shell-paths.ts";
import { tree } from "../helpers/tree.ts";

const FILES = {
  "shop/web/src/a.ts": "a\n",
  "shop/web/src/[id].ts": "id\n",
  "shop/api/main.go": "package main\n",
  "elsewhere/": "",
};

/** A namespace with two folders, seen from `directory`. */
function pathsFrom(
  directory: string,
  more: { readonly isAbsolute?: boolean; readonly project?: string } = {},
): { readonly paths: ShellPaths; readonly top: string } {
  const place = tree(FILES);
  onTestFinished(place.dispose);
  const top = place.path;
  const folders = [
    { root: join(top, "shop/web"), prefix: "", url: undefined },
    { root: join(top, "shop/api"), prefix: "api/", url: undefined },
    { root: join(top, "clone"), prefix: "gin/", url: "https://example.org/gin" },
    { root: "/srv/of/another/machine", prefix: "far/", url: undefined },
  ];
  const project = join(top, more.project ?? "shop/web");
  const options = { workingDirectory: join(top, directory), folders, project };
  return { paths: new ShellPaths({ ...options, isAbsolute: more.isAbsolute ?? false }), top };
}

test.each([
  ["shop/web", "src/a.ts", "src/a.ts"],
  ["shop/web/src", "src/a.ts", "a.ts"],
  ["shop/web/src", "README.md", "../README.md"],
  ["shop", "src/a.ts", "web/src/a.ts"],
  ["shop", "api/main.go", "api/main.go"],
  ["shop/api", "api/main.go", "main.go"],
  ["shop/web", "", "."],
])("in %s, %s is shown as %s", (directory, path, shown) => {
  expect(pathsFrom(directory).paths.shown(path)).toBe(shown);
});

test("a file of another project has an absolute path, and one that is not here that of the index", () => {
  const { paths, top } = pathsFrom("elsewhere");
  expect(paths.shown("src/a.ts")).toBe(join(top, "shop/web/src/a.ts"));
  expect(paths.fileOf("src/a.ts")).toBe(join(top, "shop/web/src/a.ts"));
  expect(paths.shown("gin/gin.go")).toBe("gin/gin.go");
  expect(paths.fileOf("gin/gin.go")).toBeUndefined();
  expect(paths.shown("far/away.go")).toBe("far/away.go");
  expect(paths.fileOf("far/away.go")).toBeUndefined();
});

test("who writes an absolute path gets absolute paths", () => {
  const { paths, top } = pathsFrom("shop/web", { isAbsolute: true });
  expect(paths.shown("src/a.ts")).toBe(join(top, "shop/web/src/a.ts"));
});

test("a real path has a path in the index, unless it is outside", () => {
  const { paths, top } = pathsFrom("shop");
  expect(paths.indexed(join(top, "shop/web"))).toBe("");
  expect(paths.indexed(join(top, "shop/web/src"))).toBe("src");
  expect(paths.indexed(join(top, "shop/api"))).toBe("api");
  expect(paths.indexed(join(top, "shop/api/main.go"))).toBe("api/main.go");
  expect(paths.indexed(join(top, "shop"))).toBeUndefined();
  expect(paths.indexed(join(top, "shop/webby"))).toBeUndefined();
});

test.each([
  ["a.ts", "src/a.ts"],
  ["./a.ts:3", "src/a.ts:3"],
  ["a.ts:3-9", "src/a.ts:3-9"],
  ["a.ts#open", "src/a.ts#open"],
  ["../src/a.ts", "src/a.ts"],
  ["../../api/main.go#main", "api/main.go#main"],
  // As in the index, or not a path.
  ["src/a.ts", "src/a.ts"],
  ["gone.ts", "gone.ts"],
  ["src/gone.ts", "src/gone.ts"],
  ["gone/a.ts:3", "src/gone/a.ts:3"],
  ["./gone.ts", "src/gone.ts"],
  ["../docs/gone.md", "docs/gone.md"],
  ["Session#open", "Session#open"],
  ["Session.open", "Session.open"],
  ["HEAD~3", "HEAD~3"],
  ["std::vec", "std::vec"],
  ["#intro", "#intro"],
  ["", ""],
])("in shop/web/src, %s names %s", (typed, indexed) => {
  expect(pathsFrom("shop/web/src").paths.target(typed, false)).toBe(indexed);
});

test("a plain word is a symbol, and a folder where only paths are allowed", () => {
  const { paths } = pathsFrom("shop/web");
  expect(paths.target("src", false)).toBe("src");
  expect(pathsFrom("shop").paths.target("api", true)).toBe("api");
  expect(pathsFrom("shop").paths.target("web", true)).toBe("");
  // Missing files are relative to the working directory too.
  expect(pathsFrom("shop/web/src").paths.target("gone.ts", true)).toBe("src/gone.ts");
  expect(pathsFrom("shop/web/src").paths.target("src/a.ts", true)).toBe("src/a.ts");
});

test("a link names the file that it leads to", () => {
  const { paths, top } = pathsFrom("shop/web");
  symlinkSync(join(top, "shop/api"), join(top, "shop/web/linked"));
  expect(paths.target("linked/main.go", true)).toBe("api/main.go");
});

test.each([
  ["shop/web", "src/**", "src/**"],
  ["shop/web/src", "nested/*.ts", "src/nested/*.ts"],
  ["shop/web/src", "./nested/*.ts", "src/nested/*.ts"],
  ["shop/web/src", "../docs/**", "docs/**"],
  ["shop/web/src", "!../docs/**", "!docs/**"],
  ["shop/web/src", "{a,b}/**", "src/{a,b}/**"],
  ["shop/web/src", "../../../x/**", "../../../x/**"],
  // Anywhere, or from the top of the project.
  ["shop/web/src", "*.ts", "*.ts"],
  ["shop/web/src", "/docs/**", "/docs/**"],
  // From outside.
  ["shop", "web/src/**", "src/**"],
  ["shop", "src/**", "src/**"],
  ["elsewhere", "src/**", "src/**"],
  ["shop", undefined, undefined],
])("in %s, the glob %s is %s in the index", (directory, glob, indexed) => {
  expect(pathsFrom(directory).paths.glob(glob)).toBe(indexed);
});

test("from outside, a glob is one of the folder that the command is about", () => {
  const { paths } = pathsFrom("shop", { project: "shop/api" });
  expect(paths.glob("api/cmd/*.go")).toBe("api/cmd/*.go");
  expect(paths.glob("cmd/*.go")).toBe("api/cmd/*.go");
});

test("special characters of the working directory are plain in a glob", () => {
  const place = tree({ "p/[id]/x/a.ts": "a\n" });
  onTestFinished(place.dispose);
  const root = join(place.path, "p");
  const paths = new ShellPaths({
    workingDirectory: join(root, "[id]"),
    folders: [{ root, prefix: "", url: undefined }],
    project: root,
    isAbsolute: false,
  });
  expect(paths.glob("x/*.ts")).toBe(String.raw`\[id\]/x/*.ts`);
});

test("with only a namespace, a glob stays as it is", () => {
  const paths = new ShellPaths({
    workingDirectory: "/",
    folders: [],
    project: undefined,
    isAbsolute: false,
  });
  expect(paths.glob("src/*.ts")).toBe("src/*.ts");
  expect(paths.shown("src/a.ts")).toBe("src/a.ts");
});
