import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { prepareCorpora, type CorpusStore } from "../../../bench/quality/prepare.ts";
import type { Corpus } from "../../../bench/quality/questions.ts";
import { plant, tree } from "../../helpers/tree.ts";

const place = tree({ "work/": "", "mirrors/": "", "remote/own/": "" });
afterAll(place.dispose);

const FILES = {
  "README.md": "Read [all about the API](docs/api.md).\n",
  "docs/api.md": "# API\n",
  "src/add.py": 'def add():\n    """Adds."""\n    return 1\n',
  "src/add.js": "/** Adds. */\n",
  "other/sub.py": 'def sub():\n    """Subtracts."""\n    return 1\n',
  "logo.png": new Uint8Array([137, 80, 78, 71]),
  "Ümlaut.txt": new Uint8Array([255, 0, 10]),
  "pages/common/tar.md": "# tar\n\n> Archives files.\n> More information: <https://x>.\n\n- Go\n",
  "pages/osx/x.md": "# x\n",
  "cran.all.1400":
    ".I 1\n.T\na  title\n.A\nx\n.B\n.W\nan abstract .\n.I 2\n.T\nno title\nat all\n.A\n.B\n.W\nmore\ntext\n",
  "data/search/code_idx_map.txt": JSON.stringify({ "def a(): pass": 3, "def b(): pass": 251 }),
};

const git = (directory: string, ...args: readonly string[]): string =>
  execFileSync("git", args, {
    cwd: directory,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@b",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@b",
    },
  }).trim();

const commit = makeRepository();

function makeRepository(): string {
  const work = join(place.path, "work");
  plant(work, FILES);
  symlinkSync("README.md", join(work, "link.md"));
  git(work, "init", "--quiet");
  git(work, "add", "--all");
  git(work, "commit", "--quiet", "--message", "all");
  for (const mirror of ["mirrors/own+name/repo", "remote/own/name"]) {
    mkdirSync(join(place.path, mirror), { recursive: true });
    git(work, "clone", "--quiet", "--bare", ".", join(place.path, mirror));
  }
  return git(work, "rev-parse", "HEAD");
}

function corpus(kind: Corpus["kind"], more: Partial<Corpus> = {}): Corpus {
  return { id: kind, kind, github: "own/name", commit, language: "python", root: "", ...more };
}

let stores = 0;
function store(more: Partial<CorpusStore> = {}): CorpusStore {
  stores += 1;
  const folder = join(place.path, `store-${stores}`);
  return { folder, mirrors: join(place.path, "mirrors"), ...more };
}

/** The files of a corpus by path, as text. */
function filesOf(one: Corpus, where = store()): Readonly<Record<string, string>> {
  expect(prepareCorpora([one], where)).toEqual(new Map());
  const folder = join(where.folder, one.id);
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return Object.fromEntries(
    paths.toSorted().map((path) => [path, readFileSync(join(folder, path), "latin1")]),
  );
}

describe("what a corpus is made of", () => {
  test("git: every regular file with text, as it is", () => {
    const files = filesOf(corpus("git"));
    const { "logo.png": _picture, ...texts } = FILES;
    expect(Object.keys(files)).toEqual(Object.keys(texts).toSorted());
    expect(files["src/add.py"]).toBe(FILES["src/add.py"]);
    expect(files["Ümlaut.txt"]).toBe("\u00ff\0\n");
  });

  test("nodoc: the files of a language in a folder, without doc comments", () => {
    expect(filesOf(corpus("nodoc", { root: "src" }))).toEqual({
      "src/add.py": "def add():\n\n    return 1\n",
    });
  });

  test("docs: the pages of a filter, without the links that are asked", () => {
    const filter = String.raw`\.md$`;
    const files = filesOf(corpus("docs", { filter, blank: ["All about the API"] }));
    expect(files["README.md"]).toBe("Read [link].\n");
    expect(Object.keys(files)).toContain("docs/api.md");
    expect(Object.keys(files)).not.toContain("src/add.py");
  });

  test("tldr: pages without their descriptions", () => {
    expect(filesOf(corpus("tldr"))).toEqual({
      "pages/common/tar.md": "# tar\n\n> More information: <https://x>.\n\n- Go\n",
    });
  });

  test("cranfield: a file for each abstract", () => {
    expect(filesOf(corpus("cranfield"))).toEqual({
      "docs/cran-0001.txt": "a title\n\nan abstract .\n",
      "docs/cran-0002.txt": "no title at all\n\nmore\ntext\n",
    });
  });

  test("cosqa: a file for each function", () => {
    expect(filesOf(corpus("cosqa"))).toEqual({
      "f00/snippet_0003.py": "def a(): pass\n",
      "f01/snippet_0251.py": "def b(): pass\n",
    });
  });
});

describe("when a corpus is made", () => {
  test("once: its mark tells that it is there, and of which commit", () => {
    const where = store();
    filesOf(corpus("tldr"), where);
    const mark = join(where.folder, ".ready/tldr.json");
    const bytes = "# tar\n\n> More information: <https://x>.\n\n- Go\n".length;
    expect(JSON.parse(readFileSync(mark, "utf8"))).toEqual({ id: "tldr", files: 1, bytes, commit });
    expect(prepareCorpora([corpus("tldr")], { folder: where.folder })).toEqual(new Map());
    const other = corpus("tldr", { commit: "0".repeat(40) });
    expect([...prepareCorpora([other], where).keys()]).toEqual(["tldr"]);
  });

  test("again, where its files are gone", () => {
    const where = store();
    filesOf(corpus("tldr"), where);
    rmSync(join(where.folder, "tldr"), { recursive: true });
    expect(Object.keys(filesOf(corpus("tldr"), where))).toEqual(["pages/common/tar.md"]);
  });

  test("not at all without a repository, which the others do not suffer from", () => {
    const where = store();
    const missing = prepareCorpora(
      [corpus("git", { id: "none", github: "own/none" }), corpus("tldr")],
      where,
    );
    expect([...missing]).toEqual([
      ["none", expect.stringMatching(/^no mirror holds own\/none at /)],
    ]);
    expect(existsSync(join(where.folder, "tldr/pages/common/tar.md"))).toBe(true);
  });

  test("from a fetched commit, where no mirror has it and fetching is allowed", () => {
    const where = store({ mirrors: undefined, remote: `file://${join(place.path, "remote")}` });
    expect(Object.keys(filesOf(corpus("tldr"), where))).toEqual(["pages/common/tar.md"]);
    const fetched = join(where.folder, ".fetched/own+name/repo");
    expect(git(fetched, "cat-file", "-t", commit)).toBe("commit");
    const missing = prepareCorpora([corpus("git", { id: "none", github: "own/none" })], where);
    expect(missing.get("none")).toMatch(/^git fetch .*own\/none/);
  });
});
