// Fails when a file under src/ uses something its layer may not see. The table is the architecture:
// ARCHITECTURE.md explains it, this file enforces it. Type-only imports count, because knowing a
// type is knowing the layer; `types` lists what may be imported by its types only.
import { globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";

import { LISTENING, LISTENING_FILES } from "./layers-listening.ts";

/** Allowed imports: layers, single files below src/, packages, and built-ins as `node:name`. */
export interface Rule {
  readonly values?: readonly string[];
  /** Allowed with `import type` only. */
  readonly types?: readonly string[];
  /** More for single files, or for all files of a folder, by path below src/. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
  /** May open outbound connections with globals, such as `fetch`. */
  readonly dials?: true;
  /** May reach modules in ways that no list of imports shows, such as `require`. */
  readonly loads?: true;
}

const SDK = "@modelcontextprotocol/sdk";
const CLIENT_SDK = "@modelcontextprotocol/client";

export const LAYERS: Readonly<Record<string, Rule>> = {
  base: {
    values: builtins("fs path crypto zlib module sea vm url v8"),
    types: builtins("worker_threads"),
    files: {
      "base/exclusive-lock.ts": builtins("sqlite"),
      "base/log.ts": ["consola"],
      "base/open-in-browser.ts": builtins("child_process"),
      "base/run-program.ts": builtins("child_process"),
    },
    loads: true,
  },
  config: {
    values: ["base", ...builtins("fs path os process")],
    files: { "config/settings-writer.ts": ["conf"] },
  },
  // The database of a shared backend. Nothing is loaded and nothing connects unless the user names one.
  postgres: {
    values: ["base", "pg", "pg-copy-streams", "pgpass", ...builtins("fs stream")],
    dials: true,
  },
  credentials: {
    values: ["base", "config", "sources/namespace.ts", "sources/principal.ts"].concat(
      ["@napi-rs/keyring"],
      builtins("crypto zlib"),
    ),
    // The rules of credentials know their store and the audit log only by ports: nothing else opens a file.
    files: {
      "credentials/sealed": builtins("sqlite fs path url"),
      "credentials/audit/local": builtins("sqlite fs path os"),
      "credentials/keychain": builtins("fs path os worker_threads"),
      "credentials/keychain/data-key-keychain.ts": builtins("child_process"),
      "credentials/private-files.ts": builtins("fs path"),
      "credentials/postgres": ["postgres", ...builtins("os")],
      "credentials/audit/postgres": ["postgres"],
    },
  },
  sources: {
    values: ["base", "config", ...builtins("path fs")],
    files: {
      "sources/git-directory.ts": builtins("os"),
      "sources/run-git.ts": builtins("child_process os"),
      "sources/registry/sqlite/summed-database.ts": builtins("sqlite"),
      "sources/registry/postgres": ["postgres", ...builtins("crypto")],
      "sources/text/postgres-texts.ts": ["postgres", ...builtins("zlib")],
      "sources/text/verify-texts.ts": ["postgres", ...builtins("crypto zlib")],
      "sources/text/copy-texts.ts": ["postgres"],
      "sources/text/decode-text.ts": builtins("buffer"),
      "sources/text/document-text.ts": builtins("buffer crypto"),
      "sources/text/local-texts.ts": builtins("crypto"),
      "sources/text/memory-texts.ts": builtins("crypto"),
      "sources/clones.ts": builtins("crypto"),
      "sources/clone-checkout.ts": builtins("os"),
    },
  },
  scan: {
    values: ["base", "sources", ...builtins("fs path crypto buffer")],
    files: { "scan/walk-memory.ts": builtins("zlib") },
  },
  parse: { values: ["base", "web-tree-sitter"], types: ["scan"] },
  chunk: { values: ["base", "parse"], types: ["web-tree-sitter"] },
  // Reads documents of strangers: no file is opened, and nothing in them is run.
  extract: {
    values: ["base", "parse/sections/markdown.ts", "parse/text-lines.ts"].concat(
      ["parse/sections/html-text.ts"],
      ["fflate", "saxes", "htmlparser2", "postal-mime"],
      builtins("zlib"),
    ),
    // pdf.js is a script among the files of the program.
    files: { "extract/pdf/pdf-engine.ts": builtins("vm") },
  },
  embed: {
    values: ["base"],
    files: {
      "embed/checksum.ts": builtins("zlib"),
      "embed/model2vec.ts": builtins("fs path"),
    },
  },
  // Words are cut the same way when a file is indexed and when a question is read.
  index: {
    values: [
      "base",
      "parse/word-table.ts",
      "parse/tokenizer.ts",
      "parse/references/references.ts",
      "parse/shared-names/shared-name.ts",
      "embed",
    ],
    types: ["parse"],
    files: {
      "index/embedded/change-log/change-log.ts": builtins("crypto"),
      "index/memory/change-log.ts": builtins("crypto"),
      "index/memory/index-state.ts": builtins("crypto"),
      "index/change-log/fingerprint-block.ts": builtins("zlib"),
      "index/embedded/storage/storage-disk.ts": builtins("fs path"),
      "index/embedded/catalog/catalog.ts": builtins("sqlite crypto fs"),
      "index/embedded/catalog/catalog-connection.ts": builtins("sqlite"),
      "index/embedded/catalog/file-row.ts": builtins("sqlite"),
      "index/embedded/catalog/file-table.ts": builtins("sqlite zlib"),
      "index/embedded/change-log/baseline-files.ts": builtins("sqlite"),
      "index/embedded/catalog/tally.ts": builtins("zlib"),
      "index/embedded/segment/page-checksums.ts": builtins("zlib"),
      "index/embedded/quarantine.ts": builtins("fs path"),
      "index/embedded/catalog/catalog-version.ts": builtins("sqlite"),
      "index/embedded/backend.ts": builtins("fs"),
      "index/embedded/copy-index.ts": builtins("fs path"),
      "index/embedded/watch-versions.ts": builtins("fs path"),
      "index/embedded/segment-name.ts": builtins("crypto"),
      "index/fence.ts": builtins("crypto"),
      "index/postgres": ["postgres", ...builtins("fs path crypto")],
      "index/embedded/layout.ts": builtins("path"),
      "index/embedded/remove-index.ts": builtins("crypto fs path"),
      "index/embedded/inspect.ts": builtins("fs"),
      "index/embedded/segment/segment-reader.ts": builtins("zlib"),
      "index/embedded/segment/names-section.ts": builtins("zlib"),
      "index/embedded/segment/segment-assembly.ts": builtins("zlib"),
    },
  },
  // Reads and writes SCIP, the output of compilers' indexers. It opens only the files that the user names.
  scip: {
    values: ["base", "index/compiler-facts/compiler-facts.ts", "pbf", ...builtins("path fs")],
    types: ["index"],
  },
  // Everything that is stored, behind ports. The only layer that knows which backend is behind them.
  backend: {
    values: ["base", "sources", "index", ...builtins("fs")],
    files: {
      "backend/leases/postgres-leases.ts": ["postgres", ...builtins("crypto")],
      "backend/updates/postgres-updates.ts": ["postgres", ...builtins("crypto")],
      "backend/nodes": ["valibot", ...builtins("crypto")],
      "backend/nodes/node-directory.ts": ["postgres"],
      "backend/nodes/node-client.ts": ["undici"],
      "backend/postgres-backend.ts": ["postgres", ...builtins("os")],
      "backend/inspect-postgres.ts": ["postgres", ...builtins("os perf_hooks")],
      "backend/verify-backend.ts": ["postgres", ...builtins("os")],
      "backend/copy-backend.ts": ["postgres", ...builtins("crypto fs os path")],
    },
  },
  // The name of a module is its path; no file is opened except configuration files, by the caller.
  graph: {
    values: ["base", "parse/shared-names/shared-name.ts", "saxes", "toml-eslint-parser"],
    types: ["parse", "index"],
    // Whether a file is generated.
    files: { "graph/interface-names.ts": ["index/types.ts"] },
  },
  search: { values: ["base", "index", "parse/tokenizer.ts", "embed"] },
  engine: {
    values: [
      "backend",
      "base",
      "config",
      "sources",
      "scan",
      "extract",
      "parse",
      "chunk",
      "index",
      "search",
      "re2js",
    ].concat(
      ["embed", "graph", "scip"],
      builtins("worker_threads path fs os crypto perf_hooks v8 buffer timers timers/promises url"),
    ),
    files: {
      // Starts this program.
      "engine/indexing/index-process.ts": builtins("child_process"),
      "engine/indexing/parse-project-settings.ts": ["toml-eslint-parser"],
    },
  },
  // Other programs' configuration files, which belong to their users: no other layer edits them, and this one
  // knows no indexes and no credentials.
  clients: {
    values: ["base", "@humanwhocodes/momoa", "toml-eslint-parser", ...builtins("fs path util")],
  },
  tools: { values: ["base", "sources", "engine", "valibot", "@valibot/to-json-schema"] },
  mcp: {
    values: ["base", "tools", "credentials/audit-event.ts"],
    types: ["sources", "engine", SDK],
  },
  // The only layer of the program that connects to others when the user named no database and no server. This check keeps the promise that svc
  // works without a network.
  providers: { values: ["base", "config", "undici", ...builtins("crypto path")], dials: true },
  // Sends calls to a server that the user named, instead of answering them.
  remote: {
    values: ["base", "sources", "tools", "mcp", CLIENT_SDK, "undici", "valibot"].concat(
      builtins("timers/promises"),
    ),
    dials: true,
  },
  transports: {
    values: ["base", "config", "credentials", "tools", "mcp"].concat(
      builtins("stream process http https net timers"),
    ),
    files: {
      "transports/http/tls-files.ts": builtins("fs tls"),
      "transports/http/webhook-signature.ts": builtins("crypto"),
      "transports/http/page-sessions.ts": builtins("crypto"),
      "transports/line-splitter.ts": builtins("buffer"),
      "transports/process-streams.ts": builtins("fs"),
    },
    types: ["sources", "engine", SDK],
  },
  // Checks everything from outside: nothing else imports so many layers, and only `svc doctor` imports it.
  doctor: {
    values: ["backend", "base", "config", "credentials", "sources", "scan", "index"].concat(
      ["engine"],
      builtins("fs path process"),
    ),
    // Starts this program and asks it as a client of others does.
    files: { "doctor/mcp-self-test.ts": [SDK, ...builtins("os")] },
  },
  "app.ts": {
    values: ["base", "config", "credentials", "sources", "scan", "parse", "chunk"].concat(
      ["backend", "index", "search", "engine", "tools", "mcp", "transports", "providers"],
      ["remote"],
      builtins("path"),
    ),
  },
  // Runs in a browser, without the rest of svc. It connects only to its own server, because its
  // Content-Security-Policy allows no other (transports/http/web-endpoint.ts).
  web: { values: ["marked"], dials: true },
  cli: {
    values: ["base", "config", "credentials", "sources", "tools", "mcp", "transports"].concat(
      ["clients", "app.ts", "doctor", "remote/server-address.ts"],
      builtins("process tty os path util"),
    ),
    types: ["engine", ...builtins("stream")],
    files: {
      "cli/io.ts": builtins("fs"),
      // A pager and an editor.
      "cli/user-program.ts": builtins("child_process"),
      "cli/interactive/search-interactively.ts": builtins("readline stream"),
      "cli/interactive/search-prompt.ts": ["@inquirer/core", ...builtins("timers/promises")],
      "cli/command.ts": ["citty"],
      "cli/locate.ts": ["citty"],
      "cli/run.ts": ["citty"],
      // Only the names, to be offered for `--language`.
      "cli/commands/complete.ts": ["scan/languages.ts"],
    },
  },
  "main.ts": { values: ["base", "config", "cli", "app.ts"] },
  "boot.ts": { values: ["base", "main.ts", ...builtins("fs path sea url vm")], loads: true },
};

/**
 * Files and folders whose values only the named layers may import; other layers that may import them see only their
 * types.
 */
const RESERVED: Readonly<Record<string, readonly string[]>> = {
  // Code that can construct a caller can name any namespace.
  "sources/principal.ts": ["credentials", "app.ts"],
  // app.ts chooses where credentials are stored.
  "credentials/sealed": ["credentials", "app.ts"],
  "credentials/audit/local": ["credentials"],
  "credentials/keychain": ["credentials"],
};

/** Layers that handle paths of indexed trees. */
const TREE_LAYERS = ["sources", "scan", "engine", "tools", "mcp", "doctor"];

/**
 * Opening by a path follows links and waits at pipes, which the author of a tree can put anywhere. In these layers
 * only the guards open files. Other code reads opened files by their descriptor.
 */
const OPENING =
  /^(?:promises|default|openAsBlob|(?:copyFile|cp|readFile|open|truncate|appendFile)(?:Sync)?|create(?:Read|Write)Stream)$/;

const GUARDS: readonly string[] = [
  "sources/confined-path.ts",
  "sources/folder-reader.ts",
  "sources/guarded-read.ts",
  "scan/read-text-file.ts",
];

/** Files that read one path of the system's, under /proc, and no other. */
const SYSTEM_READERS: readonly string[] = [
  "scan/folder-watcher.ts",
  "doctor/check-watch-limits.ts",
];

export interface Violation {
  /** Path from the root of the project, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}

/** Every breach in the TypeScript files below `root`/src, in the order of the files. */
export function findViolations(root: string): Violation[] {
  const files = globSync("src/**/*.ts", { cwd: root })
    .map((file) => file.split(sep).join("/"))
    .toSorted();
  return files.flatMap((file) => violationsIn(file, readFileSync(join(root, file), "utf8")));
}

// The clause is everything between the keyword and `from`: names, braces and line breaks.
const STATEMENT =
  /(?:^|[\n;])[ \t]*(?:import|export)(?<type>\s+type(?=\s+[\w$*{]))?\b(?<names>[^"';]*?)\bfrom\s*["'](?<from>[^"']+)["']/g;
const BARE = /(?:^|[\n;])[ \t]*import\s*["'](?<from>[^"']+)["']/g;
const CALL = /\bimport\s*\(\s*(?:\/\*.*?\*\/\s*)?(?:["'](?<from>[^"']+)["'])?/g;
/** Files named to be loaded elsewhere: workers. */
const FILE_URL = /\bnew\s+URL\s*\(\s*["'](?<from>\.[^"']+\.ts)["']/g;
const HIDDEN = /\bgetBuiltinModule\s*\(|(?<![.\w])require\s*\(/g;
const DIALS =
  /(?<![.\w$"'`])fetch\s*(?:\(|(?=[;,)}\]]))|\bglobalThis(?:\.fetch\b|\[)|(?<![.\w$"'`])(?:new\s+)?(?:WebSocket|EventSource)\b/g;

/** The import of a statement: `names` as written, `type` if it begins with that word. */
type Clause = Readonly<Record<string, string | undefined>>;

function violationsIn(file: string, text: string): Violation[] {
  const layer = layerOf(file);
  const rule = LAYERS[layer];
  if (rule === undefined) return [violation(file, 1, `"${layer}" is not in the table`)];
  const found: Violation[] = [];
  const report = (match: RegExpExecArray, problem: string | undefined): void => {
    const start = match.index + (match[0].length - match[0].trimStart().length);
    if (problem === undefined || isComment(text, start)) return;
    found.push(violation(file, text.slice(0, start).split("\n").length, problem));
  };
  for (const pattern of [STATEMENT, BARE, CALL, FILE_URL]) {
    for (const match of text.matchAll(pattern)) {
      const target = match.groups?.["from"];
      report(
        match,
        target === undefined
          ? `${layer} imports what is known only at run time, which cannot be checked`
          : problemOfImport(file, target, match.groups ?? {}),
      );
    }
  }
  for (const match of text.matchAll(HIDDEN)) {
    report(match, rule.loads ? undefined : `${layer} may not load modules by ${match[0]})`);
  }
  for (const match of text.matchAll(DIALS)) {
    report(match, rule.dials ? undefined : `${layer} may not open connections: ${match[0]}`);
  }
  return found.toSorted((a, b) => a.line - b.line);
}

function problemOfImport(file: string, target: string, clause: Clause): string | undefined {
  const isDialling = LAYERS[layerOf(file)]?.dials === true;
  return (
    problemWith(file, target, clause["type"] !== undefined) ??
    (isDialling ? undefined : dialling(file, target, clause)) ??
    opening(file, target, clause)
  );
}

function problemWith(file: string, target: string, isType: boolean): string | undefined {
  const layer = layerOf(file);
  const rule = LAYERS[layer] ?? {};
  const wanted = nameOf(file, target);
  if (wanted === layer) return undefined;
  const path = pathOf(file, target);
  if (!isType && isReserved(path, layer)) {
    return `${layer} may import types from ${target}, and nothing else`;
  }
  const ofFile = placesOf(below(file)).flatMap((place) => rule.files?.[place] ?? []);
  const values = [...(rule.values ?? []), ...ofFile];
  if ([wanted, path].some((name) => values.includes(name))) return undefined;
  const isKnownByType = rule.types?.includes(wanted) === true;
  if (isKnownByType && isType) return undefined;
  if (target.startsWith(".") && !(wanted in LAYERS)) {
    return `${layer} imports ${target}: "${wanted}" is not in the table`;
  }
  if (isKnownByType) return `${layer} may import types from ${wanted}, and nothing else`;
  return `${layer} may not import ${wanted}; it may import: ${listOf(values, rule.types)}`;
}

/** The clause of an import statement names all imports; without one, everything is imported. */
function dialling(file: string, target: string, { type, names }: Clause): string | undefined {
  if (LISTENING[target] === undefined || type !== undefined) return undefined;
  const listening = [...LISTENING[target], ...(LISTENING_FILES[below(file)]?.[target] ?? [])];
  const wrong = valuesIn(names).find((name) => !listening.includes(importedAs(name)));
  if (wrong === undefined) return undefined;
  return `${layerOf(file)} may not open connections: of ${target} it may take ${listening.join(", ")}, not ${wrong}`;
}

function opening(file: string, target: string, { type, names }: Clause): string | undefined {
  if (!/^node:fs(?:\/promises)?$/.test(target) || type !== undefined) return undefined;
  if (!TREE_LAYERS.includes(layerOf(file))) return undefined;
  if ([...GUARDS, ...SYSTEM_READERS].includes(below(file))) return undefined;
  const wrong = valuesIn(names).find((name) => name === "*" || OPENING.test(importedAs(name)));
  if (wrong === undefined) return undefined;
  return `${layerOf(file)} may not open files by ${wrong} of ${target}: ${GUARDS.join(", ")} do that for it`;
}

/** The values that the clause of an import statement names; "*" for all of them. */
function valuesIn(names: string | undefined): readonly string[] {
  const list = /^\s*\{(?<list>[^{}]*)\}\s*$/.exec(names ?? "")?.groups?.["list"]?.split(",");
  return (list ?? ["*"])
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));
}

/** `a` of `a as b`. */
function importedAs(name: string): string {
  return name.split(/\s+as\s+/)[0] ?? name;
}

function isReserved(path: string, layer: string): boolean {
  return placesOf(path).some((place) => RESERVED[place]?.includes(layer) === false);
}

/** The path itself and the folders that it is in. */
function placesOf(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

function listOf(values: readonly string[], types: readonly string[] = []): string {
  return [...values, ...types.map((name) => `${name} (types)`)].join(", ") || "nothing";
}

/** The layer, package or built-in of an import specifier. */
function nameOf(file: string, target: string): string {
  if (target.startsWith(".")) return pathOf(file, target).split("/")[0] ?? target;
  if (target.startsWith("node:")) return target.split("/")[0] ?? target;
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

/** A relative specifier as a path below src/; any other unchanged. */
function pathOf(file: string, target: string): string {
  return target.startsWith(".") ? below(posix.join(posix.dirname(file), target)) : target;
}

/** The folder below src/, or the file itself if it is in none. */
function layerOf(file: string): string {
  return below(file).split("/")[0] ?? "";
}

function below(file: string): string {
  return posix.relative("src", file);
}

function isComment(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^\s*(?:\/\/|\/?\*)/.test(line) || /\s\/\/\s/.test(line);
}

function violation(file: string, line: number, problem: string): Violation {
  return { file, line, problem };
}

function builtins(names: string): string[] {
  return names.split(" ").map((name) => `node:${name}`);
}

if (import.meta.main) {
  const breaches = findViolations(join(import.meta.dirname, ".."));
  for (const { file, line, problem } of breaches) console.error(`${file}:${line}: ${problem}`);
  if (breaches.length > 0) {
    console.error(
      "A new dependency between layers is a decision: see LAYERS in scripts/check-layers.ts.",
    );
    process.exitCode = 1;
  }
}
