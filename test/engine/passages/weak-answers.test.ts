// A probably wrong answer shows one place of each code file, but several places of a document.
import { afterAll, beforeAll, expect, test } from "vitest";

import { createProject, request, SEARCH, type Project } from "../../helpers/project.ts";

const NAMES = ["Cleaning", "Winding", "Storage", "Repair"];

function paragraphs(text: string): string {
  return `<p>${text}</p>\n`.repeat(45);
}

function section(name: string): string {
  const own = paragraphs(`The ${name} of a sprocket takes a while and needs care.`);
  const between = paragraphs("Something else is described here.");
  return `<h2 id="${name}">${name}</h2>\n${own}<h2>Between ${name}</h2>\n${between}`;
}

function definition(name: string): string {
  const body = "  step(sprocket);\n".repeat(50);
  return `/** ${name} of a sprocket. */\nexport function do${name}(): void {\n${body}}\n`;
}

let project: Project;
beforeAll(async () => {
  project = createProject({
    "docs/manual.html": `<html><body><h1>Manual</h1>\n${NAMES.map(section).join("")}</body></html>\n`,
    "src/gears.ts": NAMES.map(definition).join("\n"),
  });
  await project.engine.index(request());
}, 30_000);
afterAll(() => project.dispose());

async function counts(query: string): Promise<Readonly<Record<string, number>>> {
  const { passages, confidence } = await project.engine.search({ ...request(), ...SEARCH, query });
  expect(confidence).toBeLessThan(0.2);
  const ofFiles = Map.groupBy(passages, ({ path }) => path);
  return Object.fromEntries([...ofFiles].map(([path, all]) => [path, all.length]));
}

test("several sections of a manual, one place in code", async () => {
  expect(
    await counts(
      "where is the dilithium chamber of a sprocket refilled with antimatter plasma by robots",
    ),
  ).toEqual({
    "docs/manual.html": 4,
    "src/gears.ts": 1,
  });
});
