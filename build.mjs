// Makes dist/svc: one executable that holds Node, the program, the grammars and the keychain addon.
//   node build.mjs                 builds
//   node build.mjs --if-changed    builds unless the sources are those of the last build
// How it works and why: docs/decisions (single executable); the parts are in scripts/.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { executable, pinnedVersion, root, runPinned } from "./scripts/setup.mjs";

const BUILD_SCRIPTS =
  /^(?:bundle|mcp-client|mcp-client-shims|node-options|pack|program-assets|run-packer|setup|smoke-test|strip-elf|undici|undici-http1)\./;

const dist = path.join(root, "dist");
const record = path.join(dist, "build.json");

const inputs = hashOfInputs();
if (process.argv.includes("--if-changed") && isBuilt(inputs)) process.exit(0);
// Code caches and the executable's data fit only the very version of Node that made them.
if (process.versions.node !== pinnedVersion()) process.exit(runPinned(process.argv.slice(1)));
await build();

async function build() {
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  mkdirSync(dist, { recursive: true });
  removeAbandonedWork();
  const work = mkdtempSync(path.join(dist, "work-"));
  try {
    const assets = path.join(work, "assets");
    const boot = path.join(work, "boot.cjs");
    await timed("bundle", async () => {
      const { bundle } = await import("./scripts/bundle.mjs");
      const metafile = await bundle({ assets, boot, version });
      writeFileSync(path.join(dist, "metafile.json"), JSON.stringify(metafile));
    });
    await Promise.all([
      timed("assets", async () => {
        const { writeAssets } = await import("./scripts/program-assets.mjs");
        await writeAssets(assets);
      }),
      timed("code caches", async () => {
        const { makeCaches } = await import("./scripts/code-caches/make.mjs");
        await makeCaches(path.join(assets, "code"));
      }),
    ]);
    const output = path.join(work, path.basename(executable()));
    await timed("pack", async () => {
      const { pack } = await import("./scripts/pack.mjs");
      pack({ work, assets, boot, version, output });
    });
    const { smokeTest } = await import("./scripts/smoke-test.mjs");
    await timed("smoke test", () => smokeTest(output, version));
    // A rename replaces the file in one step, even while an older one is running.
    renameSync(output, executable());
    await timed("bill", () => writeBill(executable(), version));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const sizeBytes = statSync(executable()).size;
  writeFileSync(record, `${JSON.stringify({ inputs, version, sizeBytes }, null, 2)}\n`);
  console.log(`${path.relative(root, executable())} ${(sizeBytes / 1e6).toFixed(1)} MB`);
}

/** What the executable is made of, for who has to know (docs/supply-chain.md). */
async function writeBill(output, version) {
  const { components } = await import("./scripts/supply-chain/components.ts");
  const { sbom } = await import("./scripts/supply-chain/sbom.ts");
  const bill = sbom(await components(), {
    version,
    sha256: sha256(readFileSync(output)),
    platform: `${process.platform}-${process.arch}`,
  });
  writeFileSync(path.join(dist, "svc.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
}

function isBuilt(hash) {
  if (!existsSync(record) || !existsSync(executable())) return false;
  return JSON.parse(readFileSync(record, "utf8")).inputs === hash;
}

function hashOfInputs() {
  const files = [
    "build.mjs",
    "package.json",
    "package-lock.json",
    ...filesBelow("scripts").filter((file) => BUILD_SCRIPTS.test(path.basename(file))),
    ...filesBelow("scripts/code-caches"),
    ...filesBelow("scripts/release/formats"),
    ...filesBelow("scripts/supply-chain"),
    ...filesBelow("src").filter((file) => file.endsWith(".ts")),
    ...filesBelow("src/web").filter((file) => !file.endsWith(".ts")),
    ...filesBelow("assets"),
  ];
  const hash = createHash("sha256");
  for (const file of files.toSorted()) {
    const bytes = readFileSync(path.join(root, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

/** A build that was killed leaves some 250 MB behind; one that still runs is younger than this. */
function removeAbandonedWork() {
  const tenMinutesAgo = Date.now() - 10 * 60_000;
  for (const name of readdirSync(dist).filter((entry) => entry.startsWith("work-"))) {
    const folder = path.join(dist, name);
    if (statSync(folder).mtimeMs < tenMinutesAgo) rmSync(folder, { recursive: true, force: true });
  }
}

function filesBelow(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

async function timed(name, run) {
  const start = performance.now();
  await run();
  console.log(`  ${name.padEnd(12)} ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
