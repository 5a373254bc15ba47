// A project that people know, in the size they have: the published sources of webpack.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, join } from "node:path";

const PACKAGE = "webpack@5.112.2";
/** `npm view webpack@5.112.2 dist.integrity` */
const INTEGRITY =
  "sha512-B2tp1LI9D8GVpPDqprdt12ukTkXXahj9MzqSWJq4faSPgOUM7CdZaGAB6HrL/8E6UwbBpdj4vzWDbKoFnVoU6g==";

const CACHE = join(import.meta.dirname, "../../node_modules/.cache/svc/projects");

/**
 * Puts a copy of the project, 897 files of 14 MB, into the folder `parent` and returns its path. It
 * comes from the npm registry once and from the cache of the repository after that. Throws when
 * there is no copy yet and the registry cannot be reached, or sends something else.
 */
export function realProject(parent: string): string {
  const kept = join(CACHE, PACKAGE.replace("@", "-"));
  if (!existsSync(kept)) fetchInto(kept);
  const copy = join(parent, "webpack");
  cpSync(kept, copy, { recursive: true });
  return copy;
}

function fetchInto(folder: string): void {
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, "work-"));
  try {
    const archive = join(work, download(work));
    const sum = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
    if (sum !== INTEGRITY) throw new Error(`${PACKAGE} is ${sum}, not ${INTEGRITY}.`);
    // Relative names: GNU tar takes what stands before a colon, as in `C:\`, for a host.
    run("tar", ["-xzf", basename(archive)], work);
    publish(join(work, "package"), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Returns the name of the archive. */
function download(folder: string): string {
  try {
    return run(
      "npm",
      ["pack", PACKAGE, "--loglevel=error", "--ignore-scripts", "--fetch-retries=1"],
      folder,
    ).trim();
  } catch (cause) {
    throw new Error(
      `The tests on a real project need ${PACKAGE} once, and npm cannot get it. See whether \`npm view ${PACKAGE}\` works.`,
      { cause },
    );
  }
}

/** A rename, so that nobody sees half a project; another process may have been faster. */
function publish(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (thrown) {
    if (!existsSync(to)) throw thrown;
  }
}

function run(program: string, args: readonly string[], cwd: string): string {
  const child = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    timeout: 120_000,
    // npm is a batch file on Windows.
    shell: process.platform === "win32",
  });
  if (child.error) throw child.error;
  if (child.status === 0) return child.stdout;
  throw new Error(`${program} ended with ${child.status}: ${child.stderr}`);
}
