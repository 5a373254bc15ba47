import { afterAll, beforeAll, expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";

const WAT = "final class Door {\n  def unlock() {}\n}\n";
const FILES: Readonly<Record<string, string>> = {
  "src/store.ts": "export class Store {\n  keep(): void {}\n}\nexport function lonely(): void {}\n",
  "src/user.ts": 'import type { Store } from "./store.ts";\nexport let store: Store;\n',
  "app/Door.wat": WAT,
  "app/House.wat": "def open(Door door) {\n  door.unlock()\n}\n",
  "deploy/values.conf": "POLL_EVERY=15\n",
  "deploy/other.conf": "# POLL_EVERY is in minutes\n",
};

let project: Project;
beforeAll(async () => {
  project = createProject(FILES);
  await project.engine.index(request());
}, 30_000);
afterAll(() => project.dispose());

async function answer(input: Readonly<Record<string, unknown>>): Promise<string> {
  try {
    return (await project.tool("find_references", input)).text;
  } catch (thrown) {
    if (thrown instanceof SvcError) return thrown.detail;
    throw thrown;
  }
}

test.each<[Readonly<Record<string, unknown>>, string]>([
  [
    { symbol: "unlock" },
    'No references of Door.unlock (app/Door.wat:2-2) found. svc finds no uses in wat. 1 line in 1 file has it after a dot: `search_text` (or `svc grep "[.>:]unlock\\b"`) lists them.',
  ],
  [
    { symbol: "Store", relation: "callers" },
    "No callers of Store (src/store.ts:1-3) found. It has 2 references of other kinds: relation `references` lists them.",
  ],
  [
    { symbol: "Store", path: "app/**" },
    "No references of Store (src/store.ts:1-3) found. It has 2 references, of other kinds or not with this path.",
  ],
  [
    { symbol: "Store", path: "nowhere/**" },
    'No references of Store (src/store.ts:1-3) found. No indexed file matches path "nowhere/**".',
  ],
  [{ symbol: "lonely" }, "No references of lonely (src/store.ts:4-4) found."],
  [
    { symbol: "POLL_EVERY" },
    'No symbol "POLL_EVERY". 2 lines in 2 files have the name: `search_text` (or `svc grep -Fw POLL_EVERY`) lists them.',
  ],
  [
    { symbol: "GET /nowhere" },
    'No route "GET /nowhere" is known. `search_text` (or `svc grep`) with a part of its path finds routes that code builds.',
  ],
  [
    { symbol: "env:NOWHERE" },
    'No environment variable "NOWHERE" is known. `search_text` (or `svc grep`) with its name finds it in any text.',
  ],
  [
    { symbol: "NOT_ANYWHERE" },
    'No symbol "NOT_ANYWHERE". Try `search_context` (or `svc search`) with its words.',
  ],
])("%j is answered by what may explain it", async (input, text) => {
  expect(await answer(input)).toBe(text);
});
