// npm run release [-- --draft] [--sign KEYFILE] [PLATFORM …]: all files of a release in dist/release. docs/releasing.md
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";

import { executable } from "../setup.mjs";
import { sectionOf, UNRELEASED } from "./changelog.ts";
import type { MadeExecutable } from "./channels/channel.ts";
import { makeChannels } from "./channels/make-channels.ts";
import { readProduct } from "./channels/product.ts";
import { releaseProblems } from "./consistency.ts";
import { chosenTargets, makeExecutable } from "./executables.ts";
import { releaseNotes, type ReleaseFile } from "./notes.ts";
import { signFile } from "./sign.ts";
import { unavailableReason } from "./targets.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const FOLDER = path.join(ROOT, "dist/release");
const SUMS = "SHA256SUMS";

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { draft: { type: "boolean", default: false }, sign: { type: "string" } },
  });
  await release(positionals, values.draft, values.sign);
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function release(
  platforms: readonly string[],
  isDraft: boolean,
  signingKey: string | undefined,
): Promise<void> {
  const targets = chosenTargets(platforms);
  const draft = requireConsistency(isDraft);
  const { version }: { readonly version: string } = JSON.parse(read("package.json"));
  run([path.join(ROOT, "build.mjs"), "--if-changed"]);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const work = mkdtempSync(path.join(ROOT, "dist/work-release-"));
  const released: ReleaseFile[] = [];
  const made: MadeExecutable[] = [];
  const missing: Record<string, string> = {};
  try {
    for (const target of targets) {
      const reason = unavailableReason(target, process.versions.node);
      if (reason === undefined) {
        // One after the other: each needs the memory of several executables.
        const file = await makeExecutable(target, {
          folder: FOLDER,
          work,
          version,
          built: executable(),
        });
        await compress(path.join(FOLDER, file.file));
        released.push(file);
        made.push({ target, executable: path.join(FOLDER, file.file) });
      } else missing[target.id] = `no executable, ${reason}. The npm package needs none.`;
    }
    const channels = await makeChannels({
      product: readProduct(),
      folder: FOLDER,
      work,
      made,
      program: executable(),
      npmPackage: path.join(work, "package"),
    });
    released.push(...channels.files);
    Object.assign(missing, channels.missing);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  copyAround();
  const text = read("CHANGELOG.md");
  const sections = [isDraft ? sectionOf(text, UNRELEASED) : undefined, sectionOf(text, version)];
  const changes = sections.filter((section) => section !== undefined).join("\n\n");
  const notes = releaseNotes({ version, draft, changes, released, missing });
  writeFileSync(path.join(FOLDER, "RELEASE_NOTES.md"), notes);
  await writeSums();
  // npm changes to the repository.
  const from = process.env["INIT_CWD"] ?? ".";
  if (signingKey !== undefined)
    signFile(path.join(FOLDER, SUMS), path.resolve(from, signingKey), `svc ${version}`);
  for (const { file, sizeBytes, tried } of released)
    console.log(`${file.padEnd(28)} ${(sizeBytes / 1e6).toFixed(1).padStart(6)} MB  ${tried}`);
  for (const [id, reason] of Object.entries(missing)) console.log(`${id}: ${reason}`);
  console.log(path.relative(ROOT, FOLDER));
}

/** Returns the parts that a draft lacks. */
function requireConsistency(isDraft: boolean): readonly string[] {
  const problems = releaseProblems(ROOT);
  const generated = spawnSync(process.execPath, ["scripts/generate.ts", "--check"], { cwd: ROOT });
  const fatal = problems.filter(({ passesInDraft }) => !(isDraft && passesInDraft));
  const texts = fatal.map(({ text }) => text);
  if (generated.status !== 0) texts.push("Generated files are not up to date: run `npm run gen`.");
  if (texts.length > 0) {
    const hint = fatal.some(({ passesInDraft }) => passesInDraft)
      ? "\nTo see what a release would be, run `npm run release -- --draft`."
      : "";
    throw new Error(`not released:\n${texts.map((text) => `- ${text}`).join("\n")}${hint}`);
  }
  return problems.map(({ text }) => text);
}

function copyAround(): void {
  for (const name of ["install.sh", "install.ps1"])
    copyFileSync(path.join(ROOT, "scripts/release", name), path.join(FOLDER, name));
  copyFileSync(path.join(ROOT, "LICENSE"), path.join(FOLDER, "LICENSE"));
  cpSync(path.join(ROOT, "man"), path.join(FOLDER, "man"), { recursive: true });
}

async function compress(file: string): Promise<void> {
  await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));
}

/** In the form of sha256sum. */
async function writeSums(): Promise<void> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(path.join(FOLDER, name)).isFile())
    .toSorted();
  const lines = files.map(
    (name) => `${sumOf(path.join(FOLDER, name))}  ${name.split(path.sep).join("/")}`,
  );
  writeFileSync(path.join(FOLDER, SUMS), `${lines.join("\n")}\n`);
}

function sumOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function run(args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) throw new Error("the build failed");
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}
