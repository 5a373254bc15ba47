import { afterAll, beforeAll, expect, test } from "vitest";

import { createProject, request, type Project } from "../../helpers/project.ts";

const FILES: Readonly<Record<string, string>> = {
  "tasks/verify.yml": "- name: Verify\n  assert: {}\n",
  "tasks/main.yml": "- import_tasks: verify.yml\n",
  "app/Door.wat": "final class Door {\n  def unlock() {}\n}\n",
  "app/House.wat": "def open(Door door) {\n  door.unlock()\n}\n",
  "src/used.ts": "export function used(): void {}\n",
  "src/user.ts": 'import { used } from "./used.ts";\nused();\n',
};

let project: Project;
beforeAll(async () => {
  project = createProject(FILES);
  await project.engine.index(request());
}, 30_000);
afterAll(() => project.dispose());

test.each<[string, string | undefined]>([
  [
    "tasks/verify.yml",
    "1 line in 1 file has the name: `search_text` (or `svc grep -Fw verify.yml`) lists them.",
  ],
  [
    "unlock",
    'svc finds no uses in wat. 1 line in 1 file has it after a dot: `search_text` (or `svc grep "[.>:]unlock\\b"`) lists them.',
  ],
  ["app/House.wat", "svc finds no uses in wat."],
  ["tasks/main.yml", undefined],
  ["src/used.ts", undefined],
])("the impact of %s has the hint %s", async (target, hint) => {
  const result = await project.engine.impact({ ...request(), target, depth: 3 });
  expect(result.hint).toBe(hint);
  const { text } = await project.tool("analyze_impact", { target });
  const hints = text.split("\n").filter((line) => /^svc finds|search_text/.test(line));
  expect(hints).toEqual(hint === undefined ? [] : [hint]);
});
