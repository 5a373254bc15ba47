import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";

import { projectSettings } from "../../../src/engine/indexing/project-settings.ts";
import type { IndexResult } from "../../../src/engine/api/index-source.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";
import { plant, tree } from "../../helpers/tree.ts";

const FILES = {
  ".gitignore": "out/\n",
  ".env": "PASSWORD=wombat\n",
  "README.md": "wombat\n",
  "docs/guide.md": "wombat\n",
  "gen/client.ts": "export const wombat = 1;\n",
  "lib/util.py": "wombat = 1\n",
  "out/built.ts": "export const wombat = 1;\n",
  "src/app.ts": "export const wombat = 1;\n",
  "src/app.js": "export const wombat = 1;\n",
};
const ALL = Object.keys(FILES).filter((path) => path !== ".env" && path !== "out/built.ts");

function project(files: Record<string, string> = FILES, onDisk = false): Project {
  const created = createProject(files, { onDisk, watchesFiles: false });
  onTestFinished(created.dispose);
  return created;
}

function index({ engine }: Project, more: object = {}): Promise<IndexResult> {
  return engine.index({ ...request(), isOnlyTask: true, ...more });
}

/** The paths of the index, without the settings file itself. */
async function paths(of: Project): Promise<readonly string[]> {
  const { files } = await of.engine.searchText({
    ...request(),
    pattern: ".",
    isRegex: true,
    caseSensitive: false,
    wholeWord: false,
    contextLines: 0,
    output: "files",
    limit: 500,
  });
  return [...new Set(files.map(({ path }) => path))].filter((path) => path !== ".svc.toml");
}

function set({ root }: Project, text: string): void {
  writeFileSync(join(root, ".svc.toml"), text);
}

test.each<[string, readonly string[]]>([
  ['exclude = ["gen/", "*.js"]', ALL.filter((path) => !/^gen|js$/.test(path))],
  ['include = ["src/"]\nexclude = ["*.js"]', ["src/app.ts"]],
  ["documents = false", ALL.filter((path) => !path.endsWith(".md"))],
  ['languages = ["python"]', ["README.md", "docs/guide.md", "lib/util.py"]],
  ['languages = ["typescript"]\ndocuments = false', ["gen/client.ts", "src/app.ts"]],
  // Nothing that the owner did not allow: no secrets, no ignored files, no files outside the root.
  ['include = [".env", "out/", "out/**", "!*", "*"]\nexclude = ["!*", "!.env"]', ALL],
])("%s narrows the index", async (text, wanted) => {
  const here = project({ ...FILES, ".svc.toml": text });
  await index(here);
  expect(await paths(here)).toEqual(wanted.toSorted());
});

test("the globs of the owner apply as well, and no setting of the project undoes them", async () => {
  const here = project({ ...FILES, ".svc.toml": 'include = ["*.ts", "*.py"]\nexclude = ["!gen"]' });
  await index(here, { include: ["src/", "gen/"], exclude: ["gen/"] });
  expect(await paths(here)).toEqual(["src/app.ts"]);
});

test("the settings apply to the root of a source only", async () => {
  const here = project({ ...FILES, "src/.svc.toml": 'exclude = ["*"]' });
  await index(here);
  expect(await paths(here)).toEqual([...ALL, "src/.svc.toml"].toSorted());
});

test("the status names the settings in use and warns about the others, by file and line", async () => {
  const here = project({ ...FILES, ".svc.toml": 'exclude = ["gen/"]\nlimit = 3\ninclude = 1\n' });
  const { report, status } = await index(here);
  const warnings = [
    `"${here.root}/.svc.toml", line 2: "limit" is not a setting of a project (namespace, include, exclude, languages, documents).`,
    `"${here.root}/.svc.toml", line 3: "include" must be a list of strings.`,
  ];
  expect(report?.warnings).toEqual(warnings);
  expect(status.sources).toMatchObject([{ settings: ["exclude"] }]);
  expect(status.last_run?.warnings).toEqual(warnings);
  const { text } = await here.tool("index_status", {});
  expect(text).toContain("narrowed by .svc.toml: exclude");
  expect(text).toContain(`Warning: ${warnings[0]}`);
  // A check that finds no change has the same warnings.
  expect((await index(here)).report?.warnings).toEqual(warnings);
});

test.each<[string, (path: string) => void, string]>([
  ["a link", (path) => symlinkSync("rules.toml", path), "is a symbolic link"],
  ["a large file", (path) => writeFileSync(path, "#".repeat(16_385)), "is larger than 16384 bytes"],
])("%s is not used, with a warning", async (_, make, why) => {
  const here = project({ "a.md": "wombat\n", "rules.toml": 'exclude = ["a.md"]\n' });
  make(join(here.root, ".svc.toml"));
  const { report } = await index(here);
  expect(report?.warnings).toEqual([
    `"${here.root}/.svc.toml" ${why}, so svc does not use it; replace it with a readable file, or remove it.`,
  ]);
  expect(await paths(here)).toEqual(["a.md", "rules.toml"]);
});

test("a folder of this name has no settings", async () => {
  const { path, dispose } = tree({ ".svc.toml/": "" });
  onTestFinished(dispose);
  expect(await projectSettings(path)).toBeUndefined();
});

const CONTENTS = [
  undefined,
  "",
  'exclude = ["gen/"]',
  'exclude = ["gen/"]\nbad = 1',
  'exclude = ["gen/',
  'include = ["src/", "lib/"]',
  'languages = ["python"]',
  "documents = false",
  'exclude = [".svc.toml"]\ndocuments = false',
];

test("after any changes of the settings and files, an incremental index equals a fresh one", async () => {
  const step = fc.tuple(
    fc.constantFrom(...CONTENTS),
    fc.constantFrom(undefined, "gen/new.ts", "src/new.py", "docs/new.md"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      const here = createProject(FILES, { onDisk: true, watchesFiles: false });
      try {
        await index(here);
        for (const [text, added] of steps) {
          if (text === undefined) rmSync(join(here.root, ".svc.toml"), { force: true });
          else set(here, text);
          if (added !== undefined) plant(here.root, { [added]: "wombat\n" });
          // oxlint-disable-next-line no-await-in-loop -- one step after the other
          const { report } = await index(here);
          const fresh = createProject({}, { workspace: () => here.root, watchesFiles: false });
          // oxlint-disable-next-line no-await-in-loop -- as above
          const { report: freshReport } = await index(fresh);
          // oxlint-disable-next-line no-await-in-loop -- as above
          expect(await paths(here)).toEqual(await paths(fresh));
          expect(report?.warnings).toEqual(freshReport?.warnings);
          // oxlint-disable-next-line no-await-in-loop -- as above
          await fresh.dispose();
        }
      } finally {
        await here.dispose();
      }
    }),
    { numRuns: 12, seed: 20_261_128 },
  );
}, 120_000);

test("a watched index follows the settings", async () => {
  const here = createProject(FILES, { onDisk: true, watchesFiles: true });
  onTestFinished(here.dispose);
  const { namespace } = await index(here);
  await here.engine.watch(namespace, () => {});
  const follows = (wanted: readonly string[]): Promise<void> =>
    vi.waitFor(async () => expect(await paths(here)).toEqual(wanted.toSorted()), {
      timeout: 60_000,
      interval: 50,
    });
  set(here, 'exclude = ["gen/"]\n');
  await follows(ALL.filter((path) => path !== "gen/client.ts"));
  plant(here.root, { "gen/new.ts": "wombat\n", "src/new.ts": "wombat\n" });
  await follows([...ALL.filter((path) => path !== "gen/client.ts"), "src/new.ts"]);
  rmSync(join(here.root, ".svc.toml"));
  await follows([...ALL, "gen/new.ts", "src/new.ts"]);
}, 90_000);

test("`namespace` names a new namespace, and never an existing one", async () => {
  const here = project({ "a.md": "wombat\n", ".svc.toml": 'namespace = "shop"\n' });
  expect((await index(here)).namespace).toBe("shop");
  set(here, 'namespace = "other"\n');
  expect((await index(here)).namespace).toBe("shop");
  const second = tree({ "b.md": "quokka\n", ".svc.toml": 'namespace = "shop"\n' });
  onTestFinished(second.dispose);
  const { namespace } = await index(here, { source: second.path });
  expect(namespace).toBe(basename(second.path).toLowerCase());
  const states = await here.engine.status({ ...request(), detail: "summary" });
  expect(states.map(({ name, files }) => `${name} ${files}`).toSorted()).toEqual(
    ["shop 2", `${namespace} 2`].toSorted(),
  );
});

test("a namespace that the owner names comes before that of the project", async () => {
  const here = project({ "a.md": "wombat\n", ".svc.toml": 'namespace = "shop"\n' });
  expect((await index(here, { source: here.root, namespace: "mine" })).namespace).toBe("mine");
});

test("a folder that the settings of the outer one exclude is not part of its index", async () => {
  const here = project({ ...FILES, ".svc.toml": 'exclude = ["lib/"]\n' });
  const { namespace } = await index(here);
  mkdirSync(join(here.root, "lib/deep"));
  const inner = await index(here, { source: join(here.root, "lib"), namespace });
  expect(inner.status.sources.map(({ root }) => root)).toEqual([here.root, join(here.root, "lib")]);
});
