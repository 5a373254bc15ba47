// Writes generated files: the tables of languages from their folders; the list of the tools, the manual pages and the
// reference pages of docs/ from the definitions in src/; pictures from the table of layers and from measured figures.
// If an input has a problem it writes nothing and exits with 1. With --check it writes nothing: it names the files that
// differ and exits with 1.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";

import { loadPages, type CommandEntry } from "../src/cli/command.ts";
import type { Comparison } from "../bench/rivals/compare/measured.ts";
import type { Rule } from "./layers.ts";
import { benchmarkPlot } from "./generate/benchmark-plot.ts";
import { benchmarksPage } from "./generate/benchmarks.ts";
import { clientsPage } from "./generate/clients.ts";
import { inputProblems } from "./generate/input-problems.ts";
import { languageFiles } from "./generate/languages.ts";
import { manPages, type Edition } from "./generate/man.ts";
import { commandsPage, errorsPage, settingsPage, toolsPage } from "./generate/pages.ts";
import { pipelinePicture } from "./generate/pipeline.ts";
import { promiseTests } from "./generate/promises.ts";
import { reliabilityPage, type Results } from "./generate/reliability.ts";
import { toolListingsSource } from "./generate/tools.ts";
import { choicesSection } from "./tool-choice/page.ts";
import { readReadings } from "./tool-choice/readings.ts";
import { CHOICES, readTasks } from "./tool-choice/tasks.ts";

import { noticesText } from "./supply-chain/notices.ts";

type Files = ReadonlyMap<string, string>;

/** The files that should exist below `root`, by path with `/`, from the definitions below `root`/src. */
export async function generatedFiles(root: string): Promise<Files> {
  const files = new Map(languageFiles(root));
  const errors = await load<Errors>(root, "src/base/errors.ts");
  const settings = await load<Settings>(root, "src/config/setting-definitions.ts");
  const list = await load<Commands>(root, "src/cli/commands.ts");
  const clients = await load<Clients>(root, "src/clients/definitions.ts");
  const registry = await load<Registry>(root, "src/tools/definitions.ts");
  if (errors !== undefined) {
    files.set("docs/errors.md", errorsPage(errors.ERRORS, errors.rpcMessage));
  }
  if (settings !== undefined) files.set("docs/settings.md", settingsPage(settings.SETTINGS));
  if (registry !== undefined) {
    files.set("docs/tools.md", toolsPage(registry.definitions, choicesOf(root)));
    files.set("src/tools/tool-listings.ts", toolListingsSource(registry.definitions));
  }
  if (clients !== undefined) files.set("docs/clients.md", clientsPage(clients.CLIENTS));
  // The output would differ on another platform or Node.
  const isHome = `${process.platform}-${process.arch}` === "linux-x64";
  const chain = isHome
    ? await load<SupplyChain>(root, "scripts/supply-chain/components.ts")
    : undefined;
  if (chain !== undefined) files.set("THIRD_PARTY_NOTICES", noticesText(await chain.components()));
  for (const [path, text] of await pictures(root)) files.set(path, text);
  const trust = await load<Trust>(root, "test/trust/promises.ts");
  if (trust !== undefined) {
    const results: Results = JSON.parse(readFileSync(join(root, "docs/reliability.json"), "utf8"));
    const page = reliabilityPage(trust.SUBJECTS, promiseTests(root), results);
    files.set("docs/reliability.md", page);
  }
  const screens = await load<Screens>(root, "scripts/generate/first-screens.ts");
  if (screens !== undefined) {
    files.set("docs/first-screens.md", await screens.firstScreensPage());
  }
  if (list !== undefined) {
    const pages = await loadPages(list.commands);
    files.set("docs/cli.md", commandsPage(pages));
    for (const [name, text] of manPages(pages, editionOf(root))) files.set(`man/${name}`, text);
  }
  return files;
}

/** Pictures, and the page that shows measured ones. */
async function pictures(root: string): Promise<Files> {
  const files = new Map<string, string>();
  const table = await load<LayerTable>(root, "scripts/layers.ts");
  if (table !== undefined) files.set("docs/images/pipeline.svg", pipelinePicture(table.LAYERS));
  const measured = join(root, "docs/benchmarks.json");
  if (!existsSync(measured)) return files;
  const comparison: Comparison = JSON.parse(readFileSync(measured, "utf8"));
  files.set("docs/benchmarks.md", benchmarksPage(comparison));
  files.set("docs/images/benchmarks.svg", benchmarkPlot(comparison));
  return files;
}

interface LayerTable {
  readonly LAYERS: Readonly<Record<string, Rule>>;
}

interface Errors {
  readonly ERRORS: Parameters<typeof errorsPage>[0];
  readonly rpcMessage: (rpc: number) => string;
}

interface Settings {
  readonly SETTINGS: Parameters<typeof settingsPage>[0];
}

interface Clients {
  readonly CLIENTS: Parameters<typeof clientsPage>[0];
}

interface Screens {
  readonly firstScreensPage: () => Promise<string>;
}

interface Commands {
  readonly commands: readonly CommandEntry<never>[];
}

interface SupplyChain {
  readonly components: () => Promise<Parameters<typeof noticesText>[0]>;
}

interface Trust {
  readonly SUBJECTS: Parameters<typeof reliabilityPage>[0];
}

interface Registry {
  readonly definitions: Parameters<typeof toolsPage>[0] & Parameters<typeof toolListingsSource>[0];
}

interface Difference {
  readonly path: string;
  readonly state: "missing" | "stale" | "left over";
}

export function differences(root: string, files: Files): Difference[] {
  const wrong = [...files].flatMap(([path, text]): Difference[] => {
    const place = join(root, path);
    if (!existsSync(place)) return [{ path, state: "missing" }];
    return readFileSync(place, "utf8") === text ? [] : [{ path, state: "stale" }];
  });
  // A manual page can only be stale if there are commands.
  const manuals = files.has("man/svc.1") ? globSync("man/svc*.1", { cwd: root }) : [];
  const leftOver = manuals
    .map((path) => path.split(sep).join("/"))
    .filter((path) => !files.has(path))
    .map((path): Difference => ({ path, state: "left over" }));
  return [...wrong, ...leftOver];
}

export function writeDifferences(root: string, files: Files): Difference[] {
  const found = differences(root, files);
  for (const { path, state } of found) {
    const place = join(root, path);
    if (state === "left over") {
      rmSync(place);
    } else {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, files.get(path) ?? "");
    }
  }
  return found;
}

/** The module, or undefined if the file does not exist. */
async function load<Module>(root: string, path: string): Promise<Module | undefined> {
  const place = join(root, path);
  if (!existsSync(place)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a module of the project, by its known shape
  return (await import(pathToFileURL(place).href)) as Module;
}

/** The tools that the descriptions lead to; empty without a measurement. */
function choicesOf(root: string): string {
  if (!existsSync(join(root, CHOICES))) return "";
  return choicesSection(readTasks(root), readReadings(root));
}

function editionOf(root: string): Edition {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the project's own manifest
  const { version, description } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  ) as Record<"version" | "description", string>;
  return { version, about: description };
}

if (import.meta.main) await main(join(import.meta.dirname, ".."));

async function main(root: string): Promise<void> {
  const problems = inputProblems(root);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error("Nothing was written.");
    process.exitCode = 1;
    return;
  }
  const isCheck = process.argv.includes("--check");
  const apply = isCheck ? differences : writeDifferences;
  const found = apply(root, languageFiles(root));
  // With stale tables the rest of src/ may not even load.
  if (!isCheck || found.length === 0) found.push(...apply(root, await generatedFiles(root)));
  for (const { path, state } of found) {
    const done = `${state === "left over" ? "removed" : "wrote"} ${path}`;
    console.error(isCheck ? `${path}: ${state}; run \`npm run gen\`` : done);
  }
  if (isCheck && found.length > 0) process.exitCode = 1;
}
