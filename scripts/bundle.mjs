// TypeScript sources to the chunks that src/boot.ts loads.

import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import esbuild from "esbuild";

import { WEB_SCRIPTS } from "../src/base/assets.ts";
import { grouped } from "./chunk-groups.ts";
import { root } from "./setup.mjs";

/** Chunk name to source file: the program, its workers and agents, and the chunks that boot.ts loads. */
const ENTRIES = {
  main: "src/main.ts",
  "index-worker": "src/engine/indexing/index-worker.ts",
  "document-worker": "src/engine/indexing/document-worker.ts",
  "parse-worker": "src/engine/indexing/parse-worker.ts",
  "pattern-worker": "src/engine/text-search/pattern-worker.ts",
  "search-worker": "src/engine/passages/search-worker.ts",
  "watch-worker": "src/engine/watching/watch-worker.ts",
  "index-agent": "src/engine/indexing/index-agent.ts",
  "keychain-agent": "src/credentials/keychain/keychain-agent.ts",
  "self-check": "src/base/self-check.ts",
};

/** The globals that a chunk may use; `ChunkBody` in src/boot.ts has the same list. */
const WRAPPER = "(function(exports,require,module,__filename,__dirname,__moduleUrl){";

/** Names stay readable, for the stack traces in users' logs. */
const COMMON = {
  platform: "node",
  target: "node24",
  charset: "ascii",
  legalComments: "none",
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
};

/**
 * Bundles in two steps. Splitting keeps every module once and loads commands only when they are used,
 * but exists only for ES modules; scripts with a code cache must be CommonJS.
 *
 * Writes the chunks to `assets`/code and the code that loads them to `boot`; returns what esbuild
 * knows about the origin of each byte.
 */
export async function bundle({ assets, boot, version }) {
  const define = { SVC_VERSION: JSON.stringify(version) };
  const code = path.join(assets, "code");
  mkdirSync(code, { recursive: true });
  const modules = await bundleModules(code, define);
  const chunks = await Promise.all(
    modules.outputFiles.map(async ({ path: file, text }) => {
      const script = await esbuild.transform(text, {
        ...COMMON,
        format: "cjs",
        supported: { "dynamic-import": false },
        sourcefile: path.basename(file),
      });
      return [path.basename(file, ".js"), `${WRAPPER}${script.code.trimEnd()}\n})`];
    }),
  );
  for (const [name, text] of grouped(new Map(chunks), modules.metafile)) {
    writeFileSync(path.join(code, `${name}.js`), text);
  }
  await esbuild.build({
    ...COMMON,
    absWorkingDir: root,
    bundle: true,
    format: "cjs",
    minify: true,
    define,
    entryPoints: ["src/boot.ts"],
    outfile: boot,
  });
  copyFileSync(boot, path.join(code, "boot.js"));
  const page = await writePage(path.join(assets, "page"));
  bundledOnce ??= filesIn([modules, page]);
  return modules.metafile;
}

/** Writes the boot code of the npm package, which Node runs and whose assets are files next to it. */
export function bundlePackageBoot({ outfile, version }) {
  return esbuild.build({
    ...COMMON,
    absWorkingDir: root,
    bundle: true,
    format: "cjs",
    minify: true,
    alias: { "node:sea": "./src/base/sea-in-folder.ts" },
    define: {
      SVC_VERSION: JSON.stringify(version),
      SVC_SCRIPT: "__filename",
      "import.meta.filename": "__filename",
    },
    entryPoints: ["src/boot.ts"],
    outfile,
  });
}

/** Keeps what the page imports when it needs it out of the module that imports it. */
const LOADED_LATER = {
  name: "loaded-later",
  setup(build) {
    build.onResolve({ filter: /^\.\/.*\.ts$/ }, ({ kind, path: file }) =>
      kind === "dynamic-import"
        ? { path: file.replace(/\.ts$/, ".js"), external: true }
        : undefined,
    );
  },
};

/**
 * The parts of undici that svc uses. It has its HTTP parser twice, with instructions of SIMD and without: the second runs
 * everywhere and is fast enough, because a call to a provider waits for the network. Together these save 16 KB of a download.
 */
const PLAIN_UNDICI = {
  name: "plain-undici",
  setup(build) {
    build.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ resolveDir }) => ({
      path: path.join(resolveDir, "../llhttp/llhttp-wasm.js"),
    }));
    build.onResolve({ filter: /\/client-h2\.js$/ }, () => ({
      path: path.join(root, "scripts/undici-http1.cjs"),
    }));
  },
};

let bundledOnce;

/**
 * Paths from the root of all files that are part of the program or its page; writes nothing. Bundles only if this process
 * has not done so yet: a build needs the paths for the notices and for the bill of materials.
 */
export async function bundledFiles() {
  bundledOnce ??= findBundledFiles();
  return bundledOnce;
}

async function findBundledFiles() {
  const nowhere = path.join(root, "dist/nowhere");
  const made = await Promise.all([
    bundleModules(nowhere, { SVC_VERSION: '""' }),
    bundlePage(path.join(nowhere, "page")),
  ]);
  return filesIn(made);
}

function filesIn(bundles) {
  const inputs = bundles
    .flatMap(({ metafile }) => Object.values(metafile.outputs))
    .flatMap((output) => Object.entries(output.inputs));
  return [...new Set(inputs.filter(([, part]) => part.bytesInOutput > 0).map(([file]) => file))];
}

function bundleModules(code, define) {
  const entries = Object.entries(ENTRIES).filter(([, file]) => existsSync(path.join(root, file)));
  return esbuild.build({
    ...COMMON,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: "esm",
    write: false,
    metafile: true,
    outdir: code,
    entryPoints: Object.fromEntries(entries),
    chunkNames: "[name]-[hash]",
    plugins: [PLAIN_UNDICI],
    alias: {
      undici: path.join(root, "scripts/undici.cjs"),
      // The ES module of web-tree-sitter creates its own `require`, which reads the disk.
      "web-tree-sitter": path.join(root, "node_modules/web-tree-sitter/web-tree-sitter.cjs"),
      "@modelcontextprotocol/client/_shims": path.join(root, "scripts/mcp-client-shims.mjs"),
    },
    define: {
      ...define,
      // As in Node, undici has no second parser, which is an experiment.
      esbuildDetection: "true",
      "import.meta.url": "__moduleUrl",
      "import.meta.dirname": "__dirname",
      "import.meta.filename": "__filename",
      "import.meta.main": "false",
    },
  });
}

/** Writes the code for the browser, compressed as it is sent; returns what esbuild has made. */
async function writePage(folder) {
  const { gzipped } = await import("./program-assets.mjs");
  const page = await bundlePage(folder);
  mkdirSync(folder, { recursive: true });
  for (const { path: file, contents } of page.outputFiles) writeFileSync(file, gzipped(contents));
  return page;
}

/**
 * The code for the browser: one module for the start, and one for each module that the page loads later. Writes nothing.
 */
export function bundlePage(outdir) {
  return esbuild.build({
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    entryPoints: WEB_SCRIPTS.map((name) => `src/web/${path.basename(name, ".js")}.ts`),
    metafile: true,
    outdir,
    write: false,
    plugins: [LOADED_LATER],
  });
}
