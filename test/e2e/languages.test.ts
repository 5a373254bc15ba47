// The shipped program in a project with documentation in many languages.
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { MULTILINGUAL, MULTILINGUAL_QUESTIONS } from "../helpers/multilingual-files.ts";
import { createPlace, svc } from "../spec/program.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const place = createPlace(MULTILINGUAL);
beforeAll(async () => {
  const { exit, stderr } = await svc(place, "index", place.root);
  if (exit !== 0) throw new Error(stderr);
}, 120_000);
afterAll(() => {
  place.remove();
});

test.each(MULTILINGUAL_QUESTIONS)("%s is answered by %s", async (question, path) => {
  const { stdout } = await svc(place, "search", question, "--json");
  const { results }: { readonly results: readonly { readonly path: string }[] } =
    JSON.parse(stdout);
  expect(results[0]?.path).toBe(path);
});

test("a search for an exact text keeps its accents", async () => {
  const { stdout } = await svc(place, "grep", "Upload a résumé");
  expect(stdout).toContain("docs/resume.md:1");
  const { stdout: none } = await svc(place, "grep", "Upload a resume");
  expect(none).not.toContain("docs/resume.md");
});
