// node bench/references/component-truth.ts --mirrors DIR [--cache DIR] [--only NAME,…] [--count N] [--out DIR]
// The users, in component files, of a sample of the definitions of each repository of component-repositories.ts, from
// TypeScript's language service and the compilers of Vue and Svelte. Stored in truth/, for score.ts.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";

import { mirrorDirectory } from "../quality/mirror.ts";
import { installTool, writeTree } from "./checkout.ts";
import { componentDefinitionsIn } from "./component-definitions.ts";
import { COMPONENT_REPOSITORIES, type ComponentRepository } from "./component-repositories.ts";
import { COMPONENT_TOOLS, loadShadows, type Shadow } from "./component-shadows.ts";
import {
  loadTypeScript,
  openLanguageService,
  TYPESCRIPT,
  type LanguageService,
  type Place,
  type TypeScript,
} from "./language-service.ts";
import { stratified } from "./sample.ts";
import {
  countsOf,
  inOrder,
  TRUTH_FOLDER,
  writeTruth,
  type KindOfDefinition,
  type Truth,
  type TrueReference,
} from "./truth.ts";

const SEED = "components-1";
/** Names with more places are judged everywhere: each place takes a while. */
const MAX_PLACES = 2000;
const COMPONENT = /\.(?:vue|svelte)$/;
const SCRIPT = /\.[cm]?[jt]s$/;
const TEST = /[._](?:test|spec|bench)\.|(?:^|\/)(?:__tests__|fixtures?|tests?)\//;

const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-references") },
    only: { type: "string", default: COMPONENT_REPOSITORIES.map(({ name }) => name).join(",") },
    count: { type: "string", default: "200" },
    out: { type: "string", default: TRUTH_FOLDER },
  },
});
for (const repository of COMPONENT_REPOSITORIES) {
  if (values.only.split(",").includes(repository.name)) console.log(await makeTruth(repository));
}

/** The files of a repository with the code of its components next to them: `Card.vue.ts`. */
interface ShadowTree {
  readonly root: string;
  readonly texts: ReadonlyMap<string, string>;
  /** By the path of the code. */
  readonly shadows: ReadonlyMap<string, Shadow>;
  readonly service: LanguageService;
  readonly typescript: TypeScript;
}

interface Candidate {
  readonly name: string;
  readonly kind: KindOfDefinition;
  readonly container: string;
  /** The path of the code. */
  readonly code: string;
  readonly at: number;
}

/** A place in the repository. */
interface SourcePlace {
  readonly path: string;
  readonly at: number;
}

async function makeTruth(repository: ComponentRepository): Promise<string> {
  const tree = await shadowTree(repository);
  const { name, github, commit, language, sources, without } = repository;
  const candidates = [...tree.texts.keys()]
    .filter((path) => sources.some((folder) => path.startsWith(folder)) && !TEST.test(path))
    .flatMap((path) => candidatesIn(tree, path));
  const count = Number(values.count);
  const sample = stratified(candidates, ({ kind }) => kind, { count, seed: `${SEED}\0${name}` });
  const truths = sample.flatMap((one) => truthOf(tree, one) ?? []);
  writeTruth(
    values.out,
    {
      name,
      repository: github,
      commit,
      tool: `${COMPONENT_TOOLS[language]}, ${TYPESCRIPT}`,
      packages: "installed",
      seed: SEED,
      files: `^(?!${without.join("|")}).*\\.(?:vue|svelte)$`,
      definitions: countsOf(candidates, truths),
      references: truths.reduce((sum, { references }) => sum + references.length, 0),
    },
    truths,
  );
  const references = truths.reduce((sum, one) => sum + one.references.length, 0);
  return `${name}: ${truths.length} of ${candidates.length} definitions, ${references} references`;
}

async function shadowTree(repository: ComponentRepository): Promise<ShadowTree> {
  const { name, github, commit, language, without, packages, paths } = repository;
  const root = join(values.cache, `${name}-components`);
  const mirror = mirrorDirectory(values.mirrors, github);
  const all = writeTree(mirror, commit, root).filter(
    (path) =>
      (COMPONENT.test(path) || SCRIPT.test(path) || path.endsWith(".d.ts")) &&
      !without.some((folder) => path.startsWith(folder)),
  );
  if (!existsSync(join(root, "node_modules/.installed"))) {
    writeFileSync(join(root, "package.json"), "{}");
    spawnSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], {
      cwd: root,
      stdio: "inherit",
    });
    mkdirSync(join(root, "node_modules"), { recursive: true });
    writeFileSync(join(root, "node_modules/.installed"), "");
  }
  const typescript = await loadTypeScript(values.cache);
  const shadowOf = loadShadows(language, typescript, values.cache);
  const texts = new Map(all.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const shadows = new Map<string, Shadow>();
  for (const [path, text] of texts) {
    if (!COMPONENT.test(path)) continue;
    const shadow = shadowOf(join(root, path), text);
    if (shadow === undefined) continue;
    const code = `${path}${shadow.extension}`;
    shadows.set(code, shadow);
    mkdirSync(dirname(join(root, code)), { recursive: true });
    writeFileSync(join(root, code), shadow.code);
  }
  const scripts = all.filter((path) => SCRIPT.test(path));
  const shims = language === "svelte" ? shimsOf(root) : [];
  const service = openLanguageService(typescript, root, [...scripts, ...shadows.keys(), ...shims], {
    allowJs: true,
    allowImportingTsExtensions: true,
    jsx: "preserve",
    lib: ["ESNext", "DOM", "DOM.Iterable"],
    module: "ESNext",
    moduleResolution: "Bundler",
    noEmit: true,
    paths,
    resolveJsonModule: true,
    skipLibCheck: true,
    strict: true,
    target: "ESNext",
    types: [],
  });
  return { root, texts, shadows, service, typescript };
}

function shimsOf(root: string): readonly string[] {
  const place = installTool(COMPONENT_TOOLS.svelte, values.cache);
  return ["svelte-shims-v4.d.ts", "svelte-jsx-v4.d.ts"].map((file) =>
    relative(root, join(place, file)),
  );
}

function candidatesIn(tree: ShadowTree, path: string): readonly Candidate[] {
  const code = COMPONENT.test(path) ? codeOf(tree, path) : path;
  const source =
    code === undefined
      ? undefined
      : tree.service.getProgram()?.getSourceFile(join(tree.root, code));
  if (code === undefined || source === undefined) return [];
  const found = componentDefinitionsIn(tree.typescript, source).filter(({ name, at }) => {
    const place = originOf(tree, code, at);
    return place !== undefined && textAt(tree, place, name.length) === name;
  });
  const definitions = found.map((one): Candidate => ({ ...one, code }));
  if (!COMPONENT.test(path)) return definitions;
  const name = pascalCase(/([^/]+)\.\w+$/.exec(path)?.[1] ?? "");
  const own = { name, kind: "class" as const, container: "", code, at: -1 };
  return /^(?!Index$)[A-Z]\w*$/.test(name) ? [own, ...definitions] : definitions;
}

/** `article-preview` is the component `ArticlePreview`. */
function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function codeOf({ shadows }: ShadowTree, path: string): string | undefined {
  return [`${path}.ts`, `${path}.tsx`, `${path}.js`, `${path}.jsx`].find((code) =>
    shadows.has(code),
  );
}

function originOf({ shadows }: ShadowTree, code: string, at: number): SourcePlace | undefined {
  const shadow = shadows.get(code);
  if (shadow === undefined) return { path: code, at };
  const origin = shadow.originOf(at);
  return origin === -1 ? undefined : { path: code.replace(/\.[jt]sx?$/, ""), at: origin };
}

function textAt({ texts }: ShadowTree, { path, at }: SourcePlace, length: number): string {
  return texts.get(path)?.slice(at, at + length) ?? "";
}

function truthOf(tree: ShadowTree, candidate: Candidate): Truth | undefined {
  const { code, at, name, kind, container } = candidate;
  const entries = at === -1 ? componentUsers(tree, code) : referencesAt(tree, code, at);
  const own =
    at === -1 ? { path: code.replace(/\.[jt]sx?$/, ""), at: 0 } : originOf(tree, code, at);
  if (own === undefined) return undefined;
  const found = new Map<string, TrueReference>();
  for (const { fileName, textSpan } of entries) {
    const path = relative(tree.root, fileName);
    const place = originOf(tree, path, textSpan.start);
    if (place === undefined || !COMPONENT.test(place.path) || !isNamed(tree, place, name)) continue;
    const key = `${place.path}:${place.at}`;
    const isDefinition = place.path === own.path && place.at === own.at;
    const reference = { ...lineOf(tree, place), isDefinition, isImport: isImport(tree, place) };
    found.set(key, { ...reference, isDirect: true });
  }
  for (const one of [...subscriptions(tree, name), ...unknownUses(tree, candidate)]) {
    const key = `${one.path}:${one.at}`;
    if (!found.has(key))
      found.set(key, {
        ...lineOf(tree, one),
        isDefinition: false,
        isImport: false,
        isDirect: true,
        isUnknown: true,
      });
  }
  return { name, kind, container, ...lineOf(tree, own), references: inOrder([...found.values()]) };
}

function referencesAt({ service, root }: ShadowTree, code: string, at: number): readonly Place[] {
  const groups = service.findReferences(join(root, code), at) ?? [];
  return groups.flatMap(({ references }) => references);
}

/** The places of a name in components at which the service knows no definition, as of properties with a default value. */
function unknownUses(tree: ShadowTree, { name }: Candidate): readonly SourcePlace[] {
  const { service, root, shadows } = tree;
  const word = new RegExp(
    String.raw`(?<![\w$])${name.replaceAll("$", String.raw`\$`)}(?![\w$])`,
    "g",
  );
  const found = [...shadows].flatMap(([path, { code }]) =>
    [...code.matchAll(word)].map(({ index }) => ({ path, index })),
  );
  if (found.length > MAX_PLACES) return [];
  const byPlace = new Map<string, { place: SourcePlace; isKnown: boolean }>();
  for (const { path, index } of found) {
    const place = originOf(tree, path, index);
    if (place === undefined) continue;
    const targets = service.getDefinitionAtPosition(join(root, path), index) ?? [];
    const isKnown = targets.some(({ fileName }) => !/node_modules/.test(fileName));
    const key = `${place.path}:${place.at}`;
    byPlace.set(key, { place, isKnown: isKnown || byPlace.get(key)?.isKnown === true });
  }
  return [...byPlace.values()].flatMap(({ place, isKnown }) => (isKnown ? [] : [place]));
}

/** The places in components of the names under which they import a component. */
function componentUsers(tree: ShadowTree, code: string): readonly Place[] {
  const source = tree.service.getProgram()?.getSourceFile(join(tree.root, code));
  const at = source?.text.lastIndexOf("export default") ?? -1;
  if (at === -1) return [];
  return referencesAt(tree, code, at + "export ".length);
}

/** Whether the name or a form of it is in the component: `article-preview`. */
function isNamed(tree: ShadowTree, place: SourcePlace, name: string): boolean {
  const written = /^[\w$-]+/.exec(textAt(tree, place, name.length * 2 + 10))?.[0] ?? "";
  return plain(written) === plain(name) || place.at === 0 || isLocalName(tree, place);
}

function plain(text: string): string {
  return text.replaceAll("-", "").toLowerCase();
}

/** A component has another name where a default import gives it one. */
function isLocalName(tree: ShadowTree, place: SourcePlace): boolean {
  return /^[\w$]/.test(textAt(tree, place, 1));
}

/** `$name` in Svelte, which the compiler makes a variable of its own. */
function subscriptions({ texts }: ShadowTree, name: string): readonly SourcePlace[] {
  return [...texts].flatMap(([path, text]) => {
    if (!path.endsWith(".svelte")) return [];
    const found = text.matchAll(new RegExp(`\\$${name.replaceAll("$", "\\$")}(?![\\w$])`, "g"));
    return [...found].map(({ index }) => ({ path, at: index }));
  });
}

function lineOf(
  { texts }: ShadowTree,
  { path, at }: SourcePlace,
): { path: string; line: number; column: number } {
  const before = (texts.get(path) ?? "").slice(0, at);
  const start = before.lastIndexOf("\n") + 1;
  return { path, line: before.split("\n").length, column: at - start + 1 };
}

function isImport({ texts }: ShadowTree, { path, at }: SourcePlace): boolean {
  const before = (texts.get(path) ?? "").slice(Math.max(0, at - 600), at);
  return /(?:^|\n)\s*(?:import|export)\b(?:(?!\bfrom\b)[^;()=])*$/.test(before);
}
