// The shipped program in a project with documents of every format.
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { notebookOf } from "../helpers/notebook-text.ts";
import { encryptedPdf, pdfOf } from "../helpers/pdf.ts";
import { paragraph, wordFile } from "../helpers/office-files.ts";
import { createPlace, svc } from "../spec/program.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const NOTEBOOK = notebookOf([
  "# Harbour traffic",
  "import harbour\n\n\ndef count_ships(log):\n    return harbour.arrivals(log)",
]);

const place = createPlace({
  "docs/manual.pdf": pdfOf([
    { texts: [{ text: "Lighthouse manual", y: 700, size: 20 }] },
    { texts: [{ text: "Switch off the mains before the lamp is replaced.", y: 660 }] },
  ]),
  "docs/report.docx": wordFile(
    paragraph("Spring tides", '<w:outlineLvl w:val="0"/>') +
      paragraph("They are highest when sun and moon pull together."),
  ),
  "docs/secret.pdf": encryptedPdf("nobody reads this", "password"),
  "docs/mail.eml": "From: ann@example.org\nSubject: Buoy 7\n\nThe buoy drifted to the north.\n",
  "docs/handbook.html":
    "<html><body><h1>Fog horns</h1><p>A fog horn is tested at noon.</p></body></html>\n",
  "docs/api/FogHorn.html":
    '<html><head><link rel="stylesheet" href="../css/jazzy.css" /></head>' +
    "<body><h1>FogHorn Class Reference</h1><p>Tests a fog horn at noon.</p></body></html>\n",
  "analysis.ipynb": NOTEBOOK,
  "harbour.py": "def arrivals(log):\n    return log\n",
});
beforeAll(async () => {
  const { exit, stderr } = await svc(place, "index", place.root);
  if (exit !== 0) throw new Error(stderr);
}, 120_000);
afterAll(() => {
  place.remove();
});

interface Found {
  readonly results: readonly { readonly path: string; readonly place?: string }[];
}

interface Explained {
  readonly path: string;
  readonly signals: Readonly<Record<string, number>>;
}

test.each([
  ["how is the lamp replaced", "docs/manual.pdf:p2"],
  ["when are spring tides highest", "docs/report.docx#spring-tides"],
  ["where did the buoy drift", undefined],
])("%s is answered with the place %s", async (question, expected) => {
  const { stdout } = await svc(place, "search", question, "--json");
  const { results }: Found = JSON.parse(stdout);
  expect(results[0]?.place).toBe(expected);
});

test("HTML that a program wrote from code is not ranked as a document", async () => {
  const { stdout } = await svc(place, "search", "when is a fog horn tested", "--explain", "--json");
  const { results }: { results: readonly Explained[] } = JSON.parse(stdout);
  const signalsOf = (path: string) => results.find((result) => result.path === path)?.signals;
  expect(results[0]?.path).toBe("docs/handbook.html");
  expect(signalsOf("docs/handbook.html")).toHaveProperty("document");
  expect(signalsOf("docs/api/FogHorn.html")).toHaveProperty("generated");
  expect(signalsOf("docs/api/FogHorn.html")).not.toHaveProperty("document");
});

test("svc read takes the place that svc search prints", async () => {
  const { stdout } = await svc(place, "read", "docs/manual.pdf:p2");
  expect(stdout).toContain("docs/manual.pdf:p2 (lines");
  expect(stdout).toContain("Switch off the mains");
  const { exit, stderr } = await svc(place, "read", "docs/manual.pdf:p7");
  expect(exit).not.toBe(0);
  expect(stderr).toContain('docs/manual.pdf has no place "p7"');
});

test("code of a notebook has definitions in cells, and uses the modules of the project", async () => {
  const { stdout } = await svc(place, "symbols", "count_ships", "--json");
  expect(stdout).toContain('"place": "analysis.ipynb:cell 2:4-5"');
  const { stdout: uses } = await svc(place, "refs", "arrivals");
  expect(uses).toContain("analysis.ipynb");
});

test("svc status names documents without text, and why", async () => {
  const { stdout } = await svc(place, "status", "--skipped");
  expect(stdout).toContain("document-encrypted  docs/secret.pdf");
});

test("--language restricts a search to a format", async () => {
  const { stdout } = await svc(place, "search", "lamp tides buoy", "--language", "pdf", "--json");
  const { results }: Found = JSON.parse(stdout);
  expect(results.map(({ path }) => path)).toEqual(["docs/manual.pdf"]);
});
