// Packages of other platforms, which `npm ci` skips: downloaded at the version and with the hash of
// package-lock.json.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "../..");
const PACKAGE_CACHE = path.join(ROOT, "node_modules/.cache/svc/packages");

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** `sha512-…` */
  readonly integrity: string;
}

/** The folder of the unpacked package. Throws if the download differs from the locked one. */
export function fetchPackage({ name, version, integrity }: LockedPackage): string {
  const folder = path.join(PACKAGE_CACHE, `${name.replace("/", "-")}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(PACKAGE_CACHE, { recursive: true });
  const work = mkdtempSync(path.join(PACKAGE_CACHE, "fetch-"));
  try {
    const args = ["pack", `${name}@${version}`, "--json", "--loglevel=error"];
    const output = execFileSync("npm", args, {
      cwd: work,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    const packed: readonly { readonly filename: string }[] = JSON.parse(output);
    const archive = path.join(work, packed[0]?.filename ?? "");
    requireIntegrity(readFileSync(archive), { name, integrity });
    execFileSync("tar", ["-xzf", archive, "-C", work]);
    // In one step, so that an interrupted download leaves no partial package.
    renameSync(path.join(work, "package"), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

/** Throws unless the bytes have the hash of the lock file, `sha512-…`. */
export function requireIntegrity(
  bytes: Uint8Array,
  { name, integrity }: { readonly name: string; readonly integrity: string },
): void {
  const [algorithm = "", expected] = integrity.split("-");
  if (algorithm !== "sha512") throw new Error(`package-lock.json has no SHA-512 of ${name}`);
  if (createHash(algorithm).update(bytes).digest("base64") !== expected)
    throw new Error(`${name} differs from package-lock.json: its SHA-512 is another one`);
}

/** The entry of package-lock.json. */
export function lockedPackage(name: string): LockedPackage {
  const lock: { readonly packages: Readonly<Record<string, Partial<LockedPackage>>> } = JSON.parse(
    readFileSync(path.join(ROOT, "package-lock.json"), "utf8"),
  );
  const entry = lock.packages[`node_modules/${name}`];
  if (entry === undefined) throw new Error(`package-lock.json does not name ${name}`);
  const { version = "", integrity = "" } = entry;
  return { name, version, integrity };
}
