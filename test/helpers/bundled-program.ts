import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { buildSync } from "esbuild";

const ROOT = path.join(import.meta.dirname, "../..");
/** Below the checkout, where the bundles find its packages; as deep as src/base, from where svc finds its assets. */
const BUNDLES = path.join(ROOT, "node_modules/.svc-programs");

/** CommonJS packages use it to load Node modules. */
const REQUIRE =
  'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);';

/** Source -> the bundle that this process has made. */
const bundles = new Map<string, string>();

/**
 * Bundles a program of the tests with the sources and packages that it imports. Returns the path of the file. It starts
 * in half the processor time of the sources, and with a third of the system calls: for programs that a test starts a
 * hundred times.
 */
export function bundledProgram(source: string): string {
  const bundle = bundles.get(source) ?? writeBundle(source);
  bundles.set(source, bundle);
  return bundle;
}

function writeBundle(source: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [source],
    banner: { js: REQUIRE },
    bundle: true,
    format: "esm",
    logLevel: "error",
    platform: "node",
    write: false,
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  const name = path.basename(source, ".ts");
  const hash = createHash("sha256").update(contents).digest("hex").slice(0, 16);
  const target = path.join(BUNDLES, `${name}-${hash}.mjs`);
  if (existsSync(target)) return target;
  mkdirSync(BUNDLES, { recursive: true });
  // Another process may bundle the same program, so no reader must see a partial file.
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, target);
  removeOlder(name, target);
  return target;
}

/** Each change of a source creates another bundle. */
function removeOlder(name: string, newest: string): void {
  const bundle = new RegExp(`^${name}-[0-9a-f]{16}\\.mjs$`);
  for (const file of readdirSync(BUNDLES)) {
    const found = path.join(BUNDLES, file);
    if (bundle.test(file) && found !== newest) rmSync(found, { force: true });
  }
}
