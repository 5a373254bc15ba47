// Documents in the answers of the tools: found, named by their places, and read by place.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { notebookOf } from "../helpers/notebook-text.ts";
import { createProject, request, type Project } from "../helpers/project.ts";
import { encryptedPdf, pdfOf } from "../helpers/pdf.ts";
import { wordFile, paragraph } from "../helpers/office-files.ts";

function notebook(...cells: readonly string[]): string {
  return notebookOf(cells);
}

const MANUAL = pdfOf([
  { texts: [{ text: "Lighthouse manual", y: 700, size: 20 }] },
  {
    texts: [
      { text: "Replacing the lamp", y: 700, size: 18 },
      { text: "Switch off the mains before the lamp of the lighthouse is replaced.", y: 660 },
    ],
  },
]);

const REPORT = wordFile(
  [
    paragraph("Tides", '<w:outlineLvl w:val="0"/>'),
    paragraph("High water comes twice a day."),
    paragraph("Spring tides", '<w:outlineLvl w:val="0"/>'),
    paragraph("They are highest when sun and moon pull together."),
  ].join(""),
);

const FILES = {
  "manual.pdf": MANUAL,
  "report.docx": REPORT,
  "analysis.ipynb": notebook(
    "# Harbour traffic",
    "import harbour\n\n\ndef count_ships(log):\n    return harbour.arrivals(log)",
  ),
  "harbour.py": "def arrivals(log):\n    return [entry for entry in log if entry.is_arrival]\n",
  "secret.pdf": encryptedPdf("nobody reads this", "password"),
};

describe.each([
  ["in memory", false],
  ["on disk", true],
])("documents %s", (_, onDisk) => {
  let project: Project;

  beforeAll(async () => {
    project = createProject(FILES, { onDisk });
    await project.engine.index(request());
  });

  afterAll(() => project.dispose());

  async function textOf(name: string, input: object): Promise<string> {
    return (await project.tool(name, input)).text;
  }

  test("a search names the page", async () => {
    const text = await textOf("search_context", { query: "how is the lamp replaced" });
    expect(text).toContain("manual.pdf:p2 (lines");
    expect(text).toContain("Switch off the mains");
  });

  test("a search names the section of a document without pages", async () => {
    const text = await textOf("search_context", { query: "when are spring tides highest" });
    expect(text).toMatch(/report\.docx#spring-tides/);
  });

  function read(target: string): Promise<string> {
    return textOf("read_context", { targets: [target] });
  }

  test("read_context takes a page, a section, a cell, and lines of a cell", async () => {
    expect(await read("manual.pdf:p2")).toContain("Replacing the lamp");
    expect(await read("manual.pdf:p2")).not.toContain("Lighthouse manual");
    expect(await read("report.docx#tides")).toContain("High water comes twice");
    expect(await read("analysis.ipynb:cell 2:4-5")).toContain("def count_ships(log):");
    expect(await read("analysis.ipynb:cell 2:4-5")).not.toContain("import harbour");
  });

  test("a place that a document does not have is an error that names those it has", async () => {
    await expect(textOf("read_context", { targets: ["manual.pdf:p7"] })).rejects.toMatchObject({
      code: "PATH_NOT_FOUND",
      message: expect.stringContaining("Its first place is manual.pdf:p1, its last manual.pdf:p2."),
    });
  });

  test("search_text shows the place after the line", async () => {
    const text = await textOf("search_text", { pattern: "Switch off the mains" });
    expect(text).toMatch(/^manual\.pdf\n\d+: Switch off the mains.*\(p2\)/m);
  });

  test("an outline has the headings with their places, and find_symbol finds them", async () => {
    expect(await textOf("outline", { path: "report.docx" })).toMatch(
      /Spring tides {2}spring-tides/,
    );
    const found = await textOf("find_symbol", { name: "count_ships" });
    expect(found).toContain("analysis.ipynb:cell 2:4-5");
  });

  test("code of a notebook uses the modules of its project", async () => {
    const text = await textOf("find_references", { symbol: "arrivals" });
    expect(text).toMatch(/^analysis\.ipynb\n\d+: .*harbour\.arrivals\(log\).*\(cell 2:5\)$/m);
  });

  test("an unsure answer names documents that could not be searched", async () => {
    const text = await textOf("search_context", { query: "kubernetes ingress controller" });
    expect(text).toContain("Not searched: 1 document without text");
  });

  test("index_status has the reason", async () => {
    const text = await textOf("index_status", { detail: "skipped" });
    expect(text).toContain("document-encrypted");
  });
});

test("a document that changed has no text until it is read again, and its places are current then", async () => {
  const project = createProject({ "a.ipynb": notebook("# Tides") });
  onTestFinished(project.dispose);
  await project.engine.index(request());
  writeFileSync(join(project.root, "a.ipynb"), notebook("# Currents", "drift = 1"));
  await project.engine.index(request());
  const { text } = await project.tool("read_context", { targets: ["a.ipynb:cell 2"] });
  expect(text).toContain("drift = 1");
  rmSync(join(project.root, "a.ipynb"));
  await project.engine.index(request());
  await expect(project.tool("read_context", { targets: ["a.ipynb"] })).rejects.toMatchObject({
    code: "PATH_NOT_FOUND",
  });
});

test("a document that is added or changed while its folder is watched is found", async () => {
  const project = createProject(
    { "a.ts": "export const a = 1;\n" },
    { onDisk: true, watchesFiles: true },
  );
  onTestFinished(project.dispose);
  await project.engine.index(request());
  const search = async (query: string): Promise<string> =>
    (await project.tool("search_context", { query })).text;
  await search("harbour");
  writeFileSync(join(project.root, "b.ipynb"), notebook("# Harbour lights"));
  await expect
    .poll(() => search("harbour lights"), { timeout: 15_000 })
    .toContain("b.ipynb:cell 1");
  writeFileSync(join(project.root, "b.ipynb"), notebook("# Pilot boats"));
  await expect.poll(() => search("pilot boats"), { timeout: 15_000 }).toContain("b.ipynb:cell 1");
});

test("a namespace has no text of a document of another one, even with the same content", async () => {
  const first = createProject({ "a.ipynb": notebook("# Tides") }, { onDisk: true });
  onTestFinished(first.dispose);
  await first.engine.index(request());
  const { text } = await first.tool("read_context", { targets: ["a.ipynb"] });
  expect(text).toContain("Tides");
  await expect(
    first.tool("read_context", { targets: ["a.ipynb"], namespace: "other" }),
  ).rejects.toMatchObject({ code: "NAMESPACE_NOT_FOUND" });
});
