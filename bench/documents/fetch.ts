// Fetches the documents of the manifest with the clients of the package registries: apt-get and npm.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

import { missingFrom, type ManifestEntry } from "./manifest.ts";

const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const SUITES = [
  "http://deb.debian.org/debian bookworm",
  "http://deb.debian.org/debian bookworm-updates",
  "http://deb.debian.org/debian-security bookworm-security",
];

/** Writes the missing documents into the folder. Returns a sentence for each that could not be fetched. */
export function fetchDocuments(
  folder: string,
  manifest: readonly ManifestEntry[],
): readonly string[] {
  const missing = missingFrom(folder, manifest);
  if (missing.length === 0) return [];
  const work = mkdtempSync(join(tmpdir(), "svc-documents-"));
  try {
    const sources = new Map(missing.map((entry) => [keyOf(entry), entry] as const));
    const apt = [...sources.values()].some(({ from }) => from !== "npm")
      ? aptOptions(join(work, "apt"))
      : [];
    for (const [key, entry] of sources) {
      console.error(`fetching ${key}`);
      const unpacked = join(work, key.replaceAll(/[^\w.-]/g, "_"));
      mkdirSync(unpacked);
      unpack(entry, { unpacked, apt });
      for (const wanted of missing.filter((other) => keyOf(other) === key)) {
        copyDocument(wanted, { unpacked, folder });
      }
      rmSync(unpacked, { recursive: true });
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return missingFrom(folder, manifest).map(
    (entry) => `${entry.file} is not in ${keyOf(entry)}, or has changed`,
  );
}

function keyOf({ from, package: name, version }: ManifestEntry): string {
  return `${from} ${name} ${version}`;
}

/** Separate package lists: those of the machine may be for another release, and without sources. */
function aptOptions(folder: string): readonly string[] {
  const list = join(folder, "sources.list");
  mkdirSync(join(folder, "lists/partial"), { recursive: true });
  const lines = ["deb", "deb-src"].flatMap((type) =>
    SUITES.map((suite) => `${type} [signed-by=${KEYRING}] ${suite} main\n`),
  );
  writeFileSync(list, lines.join(""));
  const options = [
    `Dir::Etc::sourcelist=${list}`,
    "Dir::Etc::sourceparts=/dev/null",
    `Dir::State::lists=${join(folder, "lists")}`,
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  run(["apt-get", ...options, "update"], folder);
  return options;
}

/** Failures of the clients show in the documents that are missing afterwards. */
function unpack(
  { from, package: name, version }: ManifestEntry,
  { unpacked, apt }: { readonly unpacked: string; readonly apt: readonly string[] },
): void {
  const wanted = `${name}=${version}`;
  if (from === "deb") {
    run(["apt-get", ...apt, "download", wanted], unpacked);
    for (const file of globSync("*.deb", { cwd: unpacked })) {
      run(["dpkg-deb", "-x", file, "."], unpacked);
    }
    return;
  }
  if (from === "deb-src") run(["apt-get", ...apt, "source", "--download-only", wanted], unpacked);
  else run(["npm", "pack", "--silent", `${name}@${version}`], unpacked);
  for (const file of globSync(["*.orig.tar.*", "*.tgz"], { cwd: unpacked })) {
    if (!file.endsWith(".asc")) run(["tar", "xf", file, "--strip-components=1"], unpacked);
  }
}

function copyDocument(
  { file, path }: ManifestEntry,
  { unpacked, folder }: { readonly unpacked: string; readonly folder: string },
): void {
  const target = join(folder, file);
  mkdirSync(dirname(target), { recursive: true });
  try {
    const bytes = readFileSync(join(unpacked, path));
    writeFileSync(target, path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  } catch (failure) {
    console.error(`bench: ${String(failure)}`);
  }
}

function run([command = "", ...args]: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error !== undefined) console.error(`bench: ${error.message}`);
  else if (status !== 0) console.error(`bench: ${command} ${args.at(-1)}: ${stderr.trim()}`);
}
