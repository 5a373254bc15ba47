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
  whenReady,
  type DocumentSymbol,
  type LanguageServer,
  type Location,
} from "./language-server.ts";
import { shuffled, stratified } from "./sample.ts";
import { SERVED, SERVERS, type ServedRepository } from "./server-repositories.ts";
import { constructorsOf, symbolsOfServer, type ServerDefinition } from "./server-symbols.ts";
import { countsOf, TRUTH_FOLDER, writeTruth, type Truth, type TrueReference } from "./truth.ts";

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
for (const repository of SERVED) {
  // oxlint-disable-next-line no-await-in-loop -- one server at a time
  if (only.includes(repository.name)) console.log(await makeTruth(repository));
}

/** Returns a line that describes the result. */
async function makeTruth(repository: ServedRepository): Promise<string> {
  const { name, github, commit, sources, prepare } = repository;
  const of = SERVERS[repository.server];
  const covered = repository.files ?? of.files;
  const mirror = mirrorDirectory(values.mirrors, github);
  const root = join(values.cache, "served", `${name}-${commit.slice(0, 10)}`);
  if (!existsSync(root)) {
    writeTree(mirror, commit, root);
    if (prepare !== undefined) run(prepare, root);
  }
  const files = filesAt(mirror, commit).filter((path) => covered.test(path));
  const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const comments = new Map<string, ReadonlySet<number>>();
  const commentsOf = (path: string): ReadonlySet<number> => {
    const lines = comments.get(path) ?? commentLines(texts.get(path) ?? "");
    comments.set(path, lines);
    return lines;
  };
  // clangd says that it is ready only after it has read something.
  rmSync(join(root, ".cache"), { recursive: true, force: true });
  const server = await startServer(of, root);
  const isOpen = new Set<string>();
  const open = (path: string): void => {
    if (isOpen.has(path)) return;
    isOpen.add(path);
    const { languageId } = of;
    const text = texts.get(path);
    server.notify("textDocument/didOpen", {
      textDocument: { uri: uriOf(root, path), languageId, version: 1, text },
    });
  };
  // The server begins with the first file.
  for (const path of of.readsAll ? files.slice(0, 1) : files) open(path);
  await whenReady(server);
  const candidates: Candidate[] = [];
  /** "path:line:column": a constructor is defined there, which is no use of its class. */
  const constructors = new Set<string>();
  for (const [path, text] of texts) {
    if (!sources.test(path)) continue;
    open(path);
    // oxlint-disable-next-line no-await-in-loop -- one query after the other
    const symbols = await server.request("textDocument/documentSymbol", {
      textDocument: { uri: uriOf(root, path) },
    });
    const list: readonly DocumentSymbol[] = Object(symbols);
    candidates.push(...symbolsOfServer([...list], text).map((symbol) => ({ ...symbol, path })));
    for (const { line, character } of constructorsOf([...list])) {
      constructors.add(`${path}:${line + 1}:${character + 1}`);
    }
  }
  const count = Number(values.count);
  const known = distinct(candidates);
  const chosen = stratified(known, ({ kind }) => kind, {
    // More than wanted: some are declarations of others.
    count: Math.ceil(count * 1.3),
    seed: `${SEED}\0${name}`,
  });
  const truths: Truth[] = [];
  for (const definition of shuffled(chosen, SEED)) {
    if (truths.length === count) break;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const references = await referencesTo(server, definition);
    if (references !== undefined) truths.push({ ...definition, references });
  }
  server.close();
  const references = truths.reduce((sum, truth) => sum + truth.references.length, 0);
  writeTruth(
    values.out,
    {
      name,
      repository: github,
      commit,
      tool: of.tool,
      packages: "not installed",
      seed: SEED,
      files: covered.source,
      definitions: countsOf(known, truths),
      references,
    },
    truths,
  );
  return `${name}: ${truths.length} of ${known.length} definitions, ${references} references`;

  async function referencesTo(
    { request }: LanguageServer,
    { path, line, column, kind }: Candidate,
  ): Promise<readonly TrueReference[] | undefined> {
    const ask = async (method: string): Promise<readonly Location[]> => {
      const answer = await request(method, {
        textDocument: { uri: uriOf(root, path) },
        position: { line: line - 1, character: column - 1 },
        context: { includeDeclaration: of.listsDeclarations },
      });
      return Array.isArray(answer) ? answer : answer === null ? [] : [Object(answer)];
    };
    // A class that is only declared here.
    const [target] = await ask("textDocument/definition");
    const isElsewhere =
      kind === "class" && target !== undefined && target.range.start.line !== line - 1;
    if (isElsewhere && target.uri !== "") return undefined;
    const uses = await ask("textDocument/references");
    const definitions = [
      ...(await ask("textDocument/definition")),
      ...(await ask("textDocument/declaration").catch(() => [])),
    ];
    const places = new Map<string, TrueReference>();
    const add = (location: Location, isDefinition: boolean): void => {
      const { start } = location.range;
      const found = relative(root, fileURLToPath(location.uri)).split(sep).join("/");
      const text = texts.get(found);
      if (text === undefined || commentsOf(found).has(start.line + 1)) return;
      places.set(`${found}:${start.line}:${start.character}`, {
        path: found,
        line: start.line + 1,
        column: start.character + 1,
        isDefinition:
          isDefinition || constructors.has(`${found}:${start.line + 1}:${start.character + 1}`),
        isImport: importLines(found, text).has(start.line + 1),
        isDirect: true,
      });
    };
    for (const use of uses) add(use, false);
    // Among them are the declarations, if the server lists those too.
    for (const definition of definitions) if (definition.range !== undefined) add(definition, true);
    places.set(`${path}:${line - 1}:${column - 1}`, {
      ...{ path, line, column, isDefinition: true, isImport: false, isDirect: true },
    });
    return [...places.values()].toSorted(
      (one, other) =>
        (one.path < other.path ? -1 : Number(one.path > other.path)) ||
        one.line - other.line ||
        one.column - other.column,
    );
  }
}

function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  const places = new Map(
    candidates.map((one) => [`${one.path}\0${one.container}\0${one.name}`, one]),
  );
  return [...places.values()];
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

function uriOf(root: string, path: string): string {
  return String(pathToFileURL(join(root, path)));
}

function run(command: string, directory: string): void {
  const { status, stderr } = spawnSync("sh", ["-c", command], { cwd: directory, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command}: ${stderr.slice(-500)}`);
}
