import { expect, onTestFinished, test } from "vitest";

import { callTool, POLICIES, type Workbench } from "../../../bench/agent-loop/policies.ts";
import { corpusPathsOf } from "../../../bench/quality/corpus-paths.ts";
import { createProject, request } from "../../helpers/project.ts";
import { LOCAL } from "../../helpers/rpc.ts";

const LONG = Array.from({ length: 300 }, (_, at) => `line ${at + 1}`);
const FILES: Readonly<Record<string, string>> = {
  "src/hooks.py": [...LONG, "def register_hook(self):", "    pass"].join("\n"),
  "src/auth.py": "from hooks import register_hook\n",
  "tests/test_hooks.py": "register_hook()\nregister_hook()\nregister_hook()\n",
};

function linesOf(path: string): readonly string[] {
  return FILES[path]?.split("\n") ?? [];
}

async function outputsOf(name: string, more: Partial<Workbench> = {}): Promise<readonly string[]> {
  const project = createProject(FILES);
  onTestFinished(project.dispose);
  await project.engine.index(request());
  const bench: Workbench = {
    issue: "Hooks are lost\n\nCalling `register_hook()` twice keeps one.",
    paths: corpusPathsOf(project.root, ""),
    readLines: (path, start, end) =>
      [path, ...linesOf(path).slice(Math.max(0, start - 1), end)].join("\n"),
    grep: (text) =>
      Object.keys(FILES)
        .flatMap((path) =>
          linesOf(path).flatMap((line, at) =>
            line.includes(text) ? [`${path}:${at + 1}:${line}`] : [],
          ),
        )
        .join("\n"),
    svc: (tool, input) => callTool(project.engine, LOCAL, { name: tool, input }),
    codegraph: undefined,
    ...more,
  };
  const outputs: string[] = [];
  for await (const output of POLICIES[name]?.(bench) ?? []) outputs.push(output);
  return outputs;
}

test("grep shows the lines, then reads around them in code, then the whole file", async () => {
  const [lines = "", around = "", ...rest] = await outputsOf("grep and read");
  expect(lines).toContain("src/hooks.py:301:def register_hook(self):");
  expect(around.split("\n")[0]).not.toBe("tests/test_hooks.py");
  expect(rest.some((text) => text.startsWith("src/hooks.py\nline 1\n"))).toBe(true);
});

test("a search is asked with the title and with all of the issue, and what it names is read", async () => {
  const [title = "", whole = "", ...windows] = await outputsOf("svc");
  expect([title, whole].join("\n")).toContain("register_hook");
  expect(windows.some((text) => text.includes("def register_hook(self):"))).toBe(true);
});

test("the places of a map are read", async () => {
  const map = "- `src/hooks.py`\n  - `def register_hook(self)` 301-302";
  const [first, around] = await outputsOf("map", { svc: () => Promise.resolve(map) });
  expect(first).toBe(map);
  expect(around).toMatch(/^src\/hooks\.py\nline 241\n/);
});

test("another tool has the same turns", async () => {
  const asked: string[] = [];
  const codegraph = (query: string): string => {
    asked.push(query);
    return "src/auth.py:1-1";
  };
  const [, , read] = await outputsOf("codegraph", { codegraph });
  expect(asked).toEqual([
    "Hooks are lost",
    "Hooks are lost\n\nCalling `register_hook()` twice keeps one.",
  ]);
  expect(read).toContain("from hooks import register_hook");
});
