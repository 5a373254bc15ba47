// An executable for each platform, from one bundle.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { bundle } from "../bundle.mjs";
import { pack } from "../pack.mjs";
import { writeAssets } from "../program-assets.mjs";
import { serviceFolders } from "../setup.mjs";
import { smokeTest } from "../smoke-test.mjs";
import { components } from "../supply-chain/components.ts";
import { noticesText } from "../supply-chain/notices.ts";
import { sbom } from "../supply-chain/sbom.ts";
import { emulatorFor } from "./emulator.ts";
import { formatProblems } from "./executable-format.ts";
import { signatureProblem } from "./formats/sign-mach-o.ts";
import type { ReleaseFile } from "./notes.ts";
import { fileName, fetchParts, TARGETS, type ReleaseTarget, type TargetParts } from "./targets.ts";

interface MakeOptions {
  /** Folder of the release. */
  readonly folder: string;
  /** Folder for intermediate files. */
  readonly work: string;
  readonly version: string;
  /** The executable of this platform, as `npm run build` made and tested it. */
  readonly built: string;
}

/** A string in every platform's data, in an uncompressed part. */
const SAMPLE = "tree-sitter.wasm";
/** What `formatProblems` checks, in the words of the notes. */
const CHECKED: Readonly<Record<ReleaseTarget["platform"], string>> = {
  darwin: "its format, its signature and that of the addon",
  linux: "its format",
  win32: "its format, its checksum",
};
const QUERIED_FOLDER = path.join(import.meta.dirname, "../../src/base");

/** Writes the executable of the target, its bill of materials and its notices; throws when it does not work. */
export async function makeExecutable(
  target: ReleaseTarget,
  making: MakeOptions,
): Promise<ReleaseFile> {
  const { folder, version } = making;
  const file = fileName(target, version);
  const output = path.join(folder, file);
  const parts = isHost(target) ? undefined : await packFor(target, output, making);
  if (isHost(target)) copyFileSync(making.built, output);

  const bytes = readFileSync(output);
  const problems = [...formatProblems(bytes, target, SAMPLE), ...addonProblems(target, parts)];
  if (problems.length > 0) throw new Error(`${file}: ${problems.join(", ")}`);
  const all = await components(parts);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const sbomText = sbom(all, { version, sha256, platform: target.id });
  writeFileSync(`${output}.cdx.json`, `${JSON.stringify(sbomText, null, 2)}\n`);
  writeFileSync(`${output}.notices.txt`, noticesText(all));
  return { file, sha256, sizeBytes: bytes.length, ...(await tryOut(target, output, making)) };
}

/** macOS loads no addon whose signature does not fit either; its makers have signed it. */
function addonProblems({ platform }: ReleaseTarget, parts?: TargetParts): readonly string[] {
  if (platform !== "darwin" || parts === undefined) return [];
  const problem = signatureProblem(readFileSync(parts.keyring));
  return problem === undefined ? [] : [`its keychain addon: ${problem}`];
}

/** Runs the file if possible; returns what the notes state about it. */
async function tryOut(
  target: ReleaseTarget,
  output: string,
  making: MakeOptions,
): Promise<Pick<ReleaseFile, "ran" | "tried">> {
  const emulator = emulatorFor(target);
  if (emulator === undefined) {
    const onHost = await runOnHost(target, making);
    const tried = `not run: no machine for it here${onHost}. Checked: ${CHECKED[target.platform]}, and that it contains the program`;
    return { ran: false, tried };
  }
  await smokeTest(output, making.version, { emulator });
  requireResults([...emulator, output]);
  const tried =
    emulator.length === 0 ? "ran" : "ran only in an emulator (qemu-user), not on a real machine";
  return { ran: emulator.length === 0, tried };
}

/**
 * Runs the same program on the same version of Node, if the tests run on another version. Returns the
 * statement for the release notes.
 */
async function runOnHost(target: ReleaseTarget, { work, version }: MakeOptions): Promise<string> {
  const { generator, nodeVersion } = fetchParts(target);
  if (nodeVersion === process.versions.node) return "";
  const own = path.join(work, target.id);
  const output = path.join(own, "on-host");
  const { platform, arch } = process;
  pack({
    work: own,
    assets: path.join(own, "assets"),
    boot: path.join(own, "boot.cjs"),
    version,
    output,
    target: { platform, arch, node: generator, nodeVersion },
    generator,
  });
  await smokeTest(output, version, { isForeign: true });
  requireResults([output]);
  rmSync(output);
  return `; the same program ran with the same Node (${nodeVersion}) on ${platform}-${arch}`;
}

/** Tests index, syntax and database at once: a question about a folder of the sources. */
function requireResults([command = "", ...args]: readonly string[]): void {
  const home = mkdtempSync(path.join(tmpdir(), "svc-release-"));
  try {
    // Only this folder, because svc indexes a whole project, and this already takes an emulator minutes.
    const queried = path.join(home, "queried");
    cpSync(QUERIED_FOLDER, queried, { recursive: true });
    const words = ["search", "compares every asset with its recorded checksum", queried, "--json"];
    const output = execFileSync(command, [...args, ...words], {
      env: serviceFolders(home),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const { results }: { readonly results: readonly { readonly symbol?: string }[] } =
      JSON.parse(output);
    if (!results.some(({ symbol }) => symbol === "selfCheck"))
      throw new Error(`its answer to a question about ${QUERIED_FOLDER} lacks the expected text`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Writes the executable of another platform than this one; returns its parts. */
export async function packFor(
  target: ReleaseTarget,
  output: string,
  { work, version }: Pick<MakeOptions, "work" | "version">,
): Promise<TargetParts> {
  const parts = fetchParts(target);
  const own = path.join(work, target.id);
  const [assets, boot] = [path.join(own, "assets"), path.join(own, "boot.cjs")];
  mkdirSync(own);
  await bundle({ assets, boot, version });
  await writeAssets(assets, parts);
  // V8 makes code caches for the processor that it runs on, and compiles if a cache is empty.
  const code = path.join(assets, "code");
  for (const name of readdirSync(code))
    if (name !== "boot.js") writeFileSync(path.join(code, name.replace(/\.js$/, ".cache")), "");
  const { generator, node, nodeVersion } = parts;
  const { platform, arch } = target;
  pack({
    work: own,
    assets,
    boot,
    version,
    output,
    target: { platform, arch, node, nodeVersion },
    generator,
  });
  return parts;
}

export function isHost({ platform, arch }: ReleaseTarget): boolean {
  return platform === process.platform && arch === process.arch;
}

/** The targets with these names; all if there are none. Throws for an unknown name. */
export function chosenTargets(names: readonly string[]): readonly ReleaseTarget[] {
  const known = TARGETS.map(({ id }) => id);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`there is no platform "${unknown}", only ${known.join(", ")}`);
  return TARGETS.filter(({ id }) => names.length === 0 || names.includes(id));
}
