// node bench/references/server-truth.ts --mirrors DIR [--cache DIR] [--only NAME,…] [--count N] [--out DIR]
// The users of a sample of the definitions of each repository of server-repositories.ts, from a language server.
// Stored in truth/, for score.ts. The servers must be on the path: clangd-16 from Debian, pyright-langserver and
// intelephense from npm.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import { filesAt, mirrorDirectory } from "../quality/mirror.ts";
import { writeTree } from "./checkout.ts";
import { importLines } from "./import-lines.ts";
import {
  startServer,
  type DocumentSymbol,
  type LanguageServer,
  type Location,
} from "./language-server.ts";
import { shuffled, stratified } from "./sample.ts";
import { SERVED, SERVERS, type Served, type ServedRepository } from "./server-repositories.ts";
import { methodsOf, symbolsOfServer, type ServerDefinition } from "./server-symbols.ts";
import { unknownWords, type UnknownWords } from "./unknown-words.ts";
import {
  countsOf,
  inOrder,
  TRUTH_FOLDER,
  writeTruth,
  type Manifest,
  type TruePlace,
  type TrueReference,
  type Truth,
} from "./truth.ts";

interface Candidate extends ServerDefinition {
  readonly path: string;
}

const SEED = "references-2";

const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-references") },
    only: { type: "string", default: SERVED.map(({ name }) => name).join(",") },
    count: { type: "string", default: "140" },
    out: { type: "string", default: TRUTH_FOLDER },
  },
});
const only = values.only.split(",");
/** Returns a line that describes the result. */
async function makeTruth(repository: ServedRepository): Promise<string> {
  const { name, github, commit, prepare } = repository;
  const of = SERVERS[repository.server];
  const covered = repository.files ?? of.files;
  const mirror = mirrorDirectory(values.mirrors, github);
  const root = join(values.cache, "served", `${name}-${commit.slice(0, 10)}`);
  if (!existsSync(root)) {
    writeTree(mirror, commit, root);
    if (prepare !== undefined) run(prepare, root);
  }
  const files = filesAt(mirror, commit).filter((path) => covered.test(path));
  // clangd says that it is ready only after it has read something.
  rmSync(join(root, ".cache"), { recursive: true, force: true });
  const tree = new ServedTree(await startServer(of, root), of, root, files);
  // The server begins with the first file.
  for (const path of of.readsAll ? files.slice(0, 1) : files) tree.open(path);
  await tree.server.ready;
  if (repository.server === "clangd") await tree.readTokens();
  const known = await tree.definitions(repository.sources);
  const count = Number(values.count);
  // More than wanted: some are declarations of others.
  const enough = { count: Math.ceil(count * 1.3), seed: `${SEED}\0${name}` };
  const truths: Truth[] = [];
  for (const definition of shuffled(
    stratified(known, ({ kind }) => kind, enough),
    SEED,
  )) {
    if (truths.length === count) break;
    // oxlint-disable-next-line no-await-in-loop -- one query after the other
    const references = await tree.referencesTo(definition);
    if (references !== undefined) truths.push({ ...definition, references });
  }
  tree.server.close();
  const manifest: Manifest = {
    name,
    repository: github,
    commit,
    tool: of.tool,
    packages: "not installed",
    seed: SEED,
    files: covered.source,
    definitions: countsOf(known, truths),
    references: truths.reduce((sum, { references }) => sum + references.length, 0),
  };
  writeTruth(values.out, manifest, truths);
  return `${name}: ${truths.length} of ${known.length} definitions, ${manifest.references} references`;
}

/** A work tree and the server that reads it. */
class ServedTree {
  readonly server: LanguageServer;
  readonly #of: Served;
  readonly #root: string;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #comments: ReadonlyMap<string, ReadonlySet<number>>;
  readonly #open = new Set<string>();
  /** Names that several definitions in one file share. */
  readonly #overloaded = new Set<string>();
  /** How many definitions names lead to, by place. */
  readonly #targets = new Map<string, number>();
  /** The words that mean nothing to the server, by path. */
  readonly #unknown = new Map<string, UnknownWords>();
  /** Keys of places where methods are defined, which are no uses of their classes or of methods that override them. */
  readonly #methods = new Set<string>();

  constructor(server: LanguageServer, of: Served, root: string, files: readonly string[]) {
    this.server = server;
    this.#of = of;
    this.#root = root;
    this.#texts = new Map(files.map((path) => [path, readFileSync(join(root, path), "utf8")]));
    this.#comments = new Map([...this.#texts].map(([path, text]) => [path, commentLines(text)]));
  }

  open(path: string): void {
    if (this.#open.has(path)) return;
    this.#open.add(path);
    const { languageId } = this.#of;
    const text = this.#texts.get(path);
    this.server.notify("textDocument/didOpen", {
      textDocument: { uri: this.#uriOf(path), languageId, version: 1, text },
    });
  }

  async definitions(sources: RegExp): Promise<readonly Candidate[]> {
    const found: Candidate[] = [];
    for (const [path, text] of this.#texts) {
      if (!sources.test(path)) continue;
      this.open(path);
      const textDocument = { uri: this.#uriOf(path) };
      // oxlint-disable-next-line no-await-in-loop -- one query after the other
      const answer = await this.server.request("textDocument/documentSymbol", { textDocument });
      const symbols: readonly DocumentSymbol[] = Array.isArray(answer) ? answer : [];
      found.push(...symbolsOfServer(symbols, text).map((symbol) => ({ ...symbol, path })));
      for (const { line, character } of methodsOf(symbols)) {
        this.#methods.add(keyOf({ path, line: line + 1, column: character + 1 }));
      }
    }
    const all = Map.groupBy(found, nameOf);
    for (const [name, those] of all) if (those.length > 1) this.#overloaded.add(name);
    return [...all.values()].flatMap((those) => those.slice(-1));
  }

  /** Reads which names the server knows the meaning of. */
  async readTokens(): Promise<void> {
    const { tokenTypes, tokenModifiers } = this.server;
    for (const [path, text] of this.#texts) {
      this.open(path);
      const textDocument = { uri: this.#uriOf(path) };
      // oxlint-disable-next-line no-await-in-loop -- one query after the other
      const answer = await this.server.request("textDocument/semanticTokens/full", {
        textDocument,
      });
      const { data = [] }: { readonly data?: readonly number[] } = Object(answer);
      this.#unknown.set(path, unknownWords(text, data, { tokenTypes, tokenModifiers }));
    }
  }

  /** Adds what may be uses where the server does not know what the name means. */
  #addUnknown(places: Map<string, TrueReference>, name: string): void {
    for (const [path, { words }] of this.#unknown) {
      for (const { line, column } of words.get(name) ?? []) {
        const place = { path, line, column };
        if (places.has(keyOf(place))) continue;
        const flags = { isDefinition: false, isImport: false, isDirect: true };
        places.set(keyOf(place), { ...place, ...flags, isUnknown: true });
      }
    }
  }

  /** Undefined if this is a declaration of something that is defined elsewhere. */
  async referencesTo(place: Candidate): Promise<readonly TrueReference[] | undefined> {
    const definitions = await this.#ask("textDocument/definition", place);
    const isElsewhere = definitions[0]?.range.start.line !== place.line - 1;
    const isOfType = place.kind === "class" || place.kind === "enum";
    if (isOfType && definitions.length > 0 && isElsewhere) return undefined;
    const uses = await this.#ask("textDocument/references", place);
    const declarations = await this.#ask("textDocument/declaration", place).catch(() => []);
    const places = new Map<string, TrueReference>();
    // The declarations may be among the uses.
    for (const use of uses) this.#add(places, use, false);
    for (const one of [...definitions, ...declarations]) this.#add(places, one, true);
    const { path, line, column } = place;
    const own = { path, line, column, isDefinition: true, isImport: false, isDirect: true };
    places.set(keyOf(own), own);
    this.#addUnknown(places, place.name);
    await this.#markAmbiguous(places, this.#overloaded.has(nameOf(place)));
    if (this.#of.listsRelatives === true && place.kind === "method") {
      await this.#markRelatives(places, own);
    }
    return inOrder([...places.values()]);
  }

  /** Marks the calls in templates that may be of several overloads: the server lists them for each. */
  async #markAmbiguous(places: Map<string, TrueReference>, isOverloaded: boolean): Promise<void> {
    for (const [key, place] of places) {
      const { path, line, column, isDefinition } = place;
      const isDependent = this.#unknown.get(path)?.dependent.has(`${line}:${column}`) === true;
      if (isDefinition || !(isOverloaded || isDependent) || place.isUnknown === true) continue;
      // oxlint-disable-next-line no-await-in-loop -- one query after the other
      const count =
        this.#targets.get(key) ?? (await this.#ask("textDocument/definition", place)).length;
      this.#targets.set(key, count);
      if (count > 1) places.set(key, { ...place, isUnknown: true });
    }
  }

  /**
   * Marks the definitions of other methods among the uses of a method, and the uses from which the server goes to another
   * method: whether that one is related is not judged.
   */
  async #markRelatives(places: Map<string, TrueReference>, own: TruePlace): Promise<void> {
    for (const [key, place] of places) {
      if (place.isDefinition) continue;
      this.open(place.path);
      // oxlint-disable-next-line no-await-in-loop -- one query after the other
      const targets = await this.#ask("textDocument/definition", place);
      const leadsTo = (to: TruePlace): boolean =>
        targets.some(
          ({ uri, range: { start } }) => uri === this.#uriOf(to.path) && start.line === to.line - 1,
        );
      if (leadsTo(own)) continue;
      places.set(
        key,
        leadsTo(place) ? { ...place, isDefinition: true } : { ...place, isUnknown: true },
      );
    }
  }

  async #ask(method: string, { path, line, column }: TruePlace): Promise<readonly Location[]> {
    const answer = await this.server.request(method, {
      textDocument: { uri: this.#uriOf(path) },
      position: { line: line - 1, character: column - 1 },
      context: { includeDeclaration: this.#of.listsDeclarations },
    });
    if (Array.isArray(answer)) return answer;
    return answer === null || answer === undefined ? [] : [Object(answer)];
  }

  #add(
    places: Map<string, TrueReference>,
    { uri, range: { start } }: Location,
    isDefinition: boolean,
  ): void {
    const path = relative(this.#root, fileURLToPath(uri)).split(sep).join("/");
    const text = this.#texts.get(path);
    const line = start.line + 1;
    if (text === undefined || this.#comments.get(path)?.has(line) === true) return;
    const place = { path, line, column: start.character + 1 };
    const key = keyOf(place);
    places.set(key, {
      ...place,
      isDefinition: isDefinition || this.#methods.has(key),
      isImport: importLines(path, text).has(line),
      isDirect: true,
    });
  }

  #uriOf(path: string): string {
    return String(pathToFileURL(join(this.#root, path)));
  }
}

function keyOf({ path, line, column }: TruePlace): string {
  return `${path}:${line}:${column}`;
}

function nameOf({ path, container, name }: Candidate): string {
  return `${path}\0${container}\0${name}`;
}

/** The lines of comments (1-based): names in them are no references here. */
function commentLines(text: string): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const { index, 0: found } of text.matchAll(
    /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*|#(?![[!]|\s*(?:if|el|en|de|un|in|pr)).*)/gm,
  )) {
    const first = text.slice(0, index).split("\n").length;
    for (let at = 0; at < found.split("\n").length; at += 1) lines.add(first + at);
  }
  return lines;
}

function run(command: string, directory: string): void {
  const { status, stderr } = spawnSync("sh", ["-c", command], { cwd: directory, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command}: ${stderr.slice(-500)}`);
}

// The class above must be there before.
for (const repository of SERVED) {
  // oxlint-disable-next-line no-await-in-loop -- one server at a time
  if (only.includes(repository.name)) console.log(await makeTruth(repository));
}
