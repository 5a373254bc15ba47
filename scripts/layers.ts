// The imports that each folder under src/ may use. The table is the architecture: ARCHITECTURE.md explains it, and
// scripts/check-layers.ts enforces it. Type-only imports count, because knowing a type is knowing the layer; `types`
// lists the modules from which only types may be imported.

/** Allowed imports: layers, single files below src/, packages, and built-ins as `node:name`. */
export interface Rule {
  readonly values?: readonly string[];
  /** Allowed with `import type` only. */
  readonly types?: readonly string[];
  /** Additional imports for single files, or for all files of a folder, by path below src/. */
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
    // The rules for credentials use their store and the audit log only through ports: nothing else opens a file.
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
      "sources/text/legacy-encoding.ts": ["chardet"],
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
  // Reads untrusted documents: it opens no file and runs nothing in them.
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
  // Words are split in the same way for indexed files and for queries.
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
      "index/embedded/catalog/earlier-table.ts": builtins("sqlite"),
      "index/embedded/catalog/file-row.ts": builtins("sqlite"),
      "index/embedded/catalog/file-table.ts": builtins("sqlite zlib"),
      "index/embedded/change-log/baseline-files.ts": builtins("sqlite"),
      "index/embedded/catalog/tally.ts": builtins("zlib"),
      "index/embedded/segment/page-checksums.ts": builtins("zlib"),
      "index/embedded/quarantine.ts": builtins("fs path"),
      "index/embedded/catalog/catalog-version.ts": builtins("sqlite"),
      "index/embedded/backend.ts": builtins("fs"),
      "index/embedded/copy-index.ts": builtins("fs path"),
      "index/embedded/embedded-base.ts": builtins("fs path"),
      "index/embedded/fetch-index.ts": builtins("fs path"),
      "index/embedded/embedded-revisions.ts": builtins("fs path timers"),
      "index/embedded/link-files.ts": builtins("fs path"),
      "index/embedded/watch-versions.ts": builtins("fs path"),
      "index/embedded/segment-name.ts": builtins("crypto"),
      "index/fence.ts": builtins("crypto"),
      "index/postgres": ["postgres", ...builtins("fs path crypto")],
      "index/embedded/layout.ts": builtins("path"),
      "index/commits/disk-commits.ts": builtins("fs path"),
      "index/embedded/remove-index.ts": builtins("crypto fs path"),
      "index/embedded/inspect.ts": builtins("fs"),
      "index/embedded/segment/segment-reader.ts": builtins("zlib"),
      "index/embedded/segment/segment-assembly.ts": builtins("zlib"),
    },
  },
  // Reads and writes SCIP, the output format of compiler-based indexers. It opens only the files that the user names.
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
    // To know whether a file is generated.
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
      // It starts this program.
      "engine/indexing/index-process.ts": builtins("child_process"),
      "engine/indexing/parse-project-settings.ts": ["toml-eslint-parser"],
    },
  },
  // Other programs' configuration files, which belong to their users: no other layer edits them, and this one
  // knows no indexes and no credentials.
  clients: {
    values: ["base", "@humanwhocodes/momoa", "toml-eslint-parser"].concat(
      builtins("crypto fs path util"),
    ),
  },
  tools: { values: ["base", "sources", "engine", "valibot", "@valibot/to-json-schema"] },
  mcp: {
    values: ["base", "tools", "credentials/audit-event.ts"],
    types: ["sources", "engine", SDK],
  },
  // The only layer of the program that connects to others when the user named no database and no server. This check keeps the promise that svc
  // works without a network.
  providers: {
    values: ["base", "config", "undici", ...builtins("crypto path")],
    files: { "providers/release-download.ts": ["upgrade/release-source.ts"] },
    dials: true,
  },
  // Replaces the program itself with one from a release. The files come from a port, so that this layer connects to
  // nothing.
  upgrade: { values: ["base", ...builtins("crypto fs path stream stream/promises zlib")] },
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
    // Starts this program and queries it like a third-party client.
    files: { "doctor/mcp-self-test.ts": [SDK, ...builtins("os")] },
  },
  "app.ts": {
    values: ["base", "config", "credentials", "sources", "scan", "parse", "chunk"].concat(
      ["backend", "index", "search", "engine", "tools", "mcp", "transports", "providers"],
      ["remote", "upgrade"],
      builtins("path"),
    ),
  },
  // Runs in a browser, without the rest of svc. It connects only to its own server, because its
  // Content-Security-Policy allows no other (transports/http/web-endpoint.ts).
  web: { values: ["marked"], dials: true },
  cli: {
    values: ["base", "config", "credentials", "sources", "tools", "mcp", "transports"].concat(
      ["clients", "app.ts", "doctor", "remote/server-address.ts", "upgrade"],
      builtins("process tty os path util"),
    ),
    types: ["engine", ...builtins("stream")],
    files: {
      "cli/io.ts": builtins("fs"),
      // A pager and an editor, if available.
      "cli/user-program.ts": builtins("child_process fs"),
      "cli/interactive/search-interactively.ts": builtins("readline stream"),
      "cli/interactive/search-prompt.ts": ["@inquirer/core", ...builtins("timers/promises")],
      "cli/command.ts": ["citty"],
      "cli/locate.ts": ["citty"],
      "cli/run.ts": ["citty"],
      "cli/commands/upgrade.ts": builtins("fs"),
      // Only the names, to suggest for `--language`.
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
export const RESERVED: Readonly<Record<string, readonly string[]>> = {
  // Code that can construct a caller can name any namespace.
  "sources/principal.ts": ["credentials", "app.ts"],
  // app.ts chooses where credentials are stored.
  "credentials/sealed": ["credentials", "app.ts"],
  "credentials/audit/local": ["credentials"],
  "credentials/keychain": ["credentials"],
};

/** Layers that handle paths of indexed trees. */
export const TREE_LAYERS = ["sources", "scan", "engine", "tools", "mcp", "doctor"];

/**
 * Opening a path follows links and blocks on pipes, which the author of a tree can put anywhere. In these layers
 * only the guards open files. Other code reads opened files by their descriptor.
 */
export const OPENING =
  /^(?:promises|default|openAsBlob|(?:copyFile|cp|readFile|open|truncate|appendFile)(?:Sync)?|create(?:Read|Write)Stream)$/;

export const GUARDS: readonly string[] = [
  "sources/confined-path.ts",
  "sources/folder-reader.ts",
  "sources/guarded-read.ts",
  "scan/read-text-file.ts",
];

/** Files that read one path of the system's, under /proc, and no other. */
export const SYSTEM_READERS: readonly string[] = [
  "scan/folder-watcher.ts",
  "doctor/check-watch-limits.ts",
];

/** The imports that a layer without connections may take from networking built-ins: listening, and parsing of texts. */
export const LISTENING: Readonly<Record<string, readonly string[]>> = {
  "node:http": ["createServer", "STATUS_CODES"],
  "node:https": ["createServer"],
  "node:net": ["isIP"],
  "node:tls": ["createSecureContext"],
};

/** Additional imports for single files: a socket over standard input is already open and connects to nothing. */
export const LISTENING_FILES: Readonly<Record<string, typeof LISTENING>> = {
  "transports/process-streams.ts": { "node:net": ["Socket"] },
};

function builtins(names: string): string[] {
  return names.split(" ").map((name) => `node:${name}`);
}
