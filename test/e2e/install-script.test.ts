// install.sh from a folder like a release, with the built program in it, run by the system's sh.
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { afterAll, beforeEach, expect, test } from "vitest";

import { signature } from "../../scripts/release/sign.ts";
import { needs } from "../helpers/needs.ts";
import { createSigningKey, type SigningKey } from "../helpers/signed-release.ts";

const ROOT = join(import.meta.dirname, "../..");
const SVC = join(ROOT, "dist/svc");
const NAME = `svc-0.0.0-${process.platform}-${process.arch}`;
const BASE = mkdtempSync(join(tmpdir(), "svc install "));
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

const RELEASE = join(BASE, "release");
const HOME = join(BASE, "home of a user");
const BIN = join(BASE, "bin");
/**
 * Replaces svc if the test is about the script, because copying and hashing 128 MB takes longer than the whole script.
 */
const PROGRAM = "#!/bin/sh\necho 7.7.7\n";
const PROGRAM_SUM = sumOf(Buffer.from(PROGRAM));

/** A release with a small program and a single page. */
beforeEach(() => {
  for (const folder of [RELEASE, HOME, BIN]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
  writeFileSync(join(RELEASE, NAME), PROGRAM);
  copyFileSync(join(ROOT, "scripts/release/install.sh"), join(RELEASE, "install.sh"));
  mkdirSync(join(RELEASE, "man"));
  copyFileSync(join(ROOT, "man/svc.1"), join(RELEASE, "man/svc.1"));
  mkdirSync(join(RELEASE, "completions"));
  writeFileSync(join(RELEASE, "completions/svc.bash"), "# of bash\n");
  writeFileSync(join(RELEASE, "completions/_svc"), "# of zsh\n");
  writeSums();
});

/** Makes it the release of the built program, with all pages. */
function releaseSvc(): void {
  rmSync(join(RELEASE, NAME));
  symlinkSync(SVC, join(RELEASE, NAME));
  cpSync(join(ROOT, "man"), join(RELEASE, "man"), { recursive: true });
  writeSums();
}

function sumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function writeSums(): void {
  const files = readdirSync(RELEASE, { recursive: true, encoding: "utf8" }).filter(
    (file) => file !== "SHA256SUMS" && statSync(join(RELEASE, file)).isFile(),
  );
  const lines = files.map((file) => `${sumOf(readFileSync(join(RELEASE, file)))}  ${file}`);
  writeFileSync(join(RELEASE, "SHA256SUMS"), `${lines.join("\n")}\n`);
}

function install(...args: readonly string[]): SpawnSyncReturns<string> {
  return installWith(`${BIN}:/usr/bin:/bin`, ...args);
}

function installWith(searchPath: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync("/bin/sh", [join(RELEASE, "install.sh"), ...args], {
    cwd: BASE,
    env: { HOME, PATH: searchPath },
    encoding: "utf8",
  });
}

function refusal(...args: readonly string[]): string {
  const { status, stdout, stderr } = install(...args);
  expect(status).toBeGreaterThan(0);
  expect(stdout).toBe("");
  expect(readdirSync(HOME)).toEqual([]);
  return stderr;
}

/** A system command that reports another operating system. */
function fake(name: string, script: string): void {
  writeFileSync(join(BIN, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

test("it installs the program with its pages and completions, a second time too, and uninstalls all of it", () => {
  releaseSvc();
  const local = join(HOME, ".local");
  const first = install();
  expect([first.status, first.stderr]).toEqual([0, ""]);
  expect(first.stdout).toContain(`is installed: ${local}/bin/svc\n`);
  expect(first.stdout).toContain(`  export PATH="${local}/bin:$PATH"\n`);
  expect(first.stdout).toContain(`${local}/bin/svc install CLIENT`);
  const program = join(local, "bin/svc");
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
  expect(spawnSync(program, ["--version"], { encoding: "utf8" }).stdout).toBe(`${version}\n`);
  expect(readdirSync(join(local, "share/man/man1"))).toEqual(readdirSync(join(ROOT, "man")));
  expect(readFileSync(join(local, "share/bash-completion/completions/svc"), "utf8")).toBe(
    "# of bash\n",
  );
  expect(readFileSync(join(local, "share/zsh/site-functions/_svc"), "utf8")).toBe("# of zsh\n");

  const before = statSync(program).ino;
  expect(install().status).toBe(0);
  expect(statSync(program).ino).not.toBe(before);
  expect(readdirSync(join(local, "bin"))).toEqual(["svc"]);

  writeFileSync(join(local, "bin/other"), "");
  expect(install("--uninstall").status).toBe(0);
  const left = readdirSync(HOME, { recursive: true, encoding: "utf8" });
  expect(left.filter((file) => statSync(join(HOME, file)).isFile())).toEqual([".local/bin/other"]);
  const again = install("--uninstall");
  expect([again.status, again.stderr]).toEqual([
    1,
    `install.sh: there is no svc below ${local}. Was it installed with another --prefix?\n`,
  ]);
});

test("--prefix is relative to the user's directory; a prefix in PATH needs no hint; .gz works", () => {
  rmSync(join(RELEASE, NAME));
  writeFileSync(join(RELEASE, `${NAME}.gz`), gzipSync(PROGRAM));
  writeSums();
  const prefix = join(BASE, "a prefix");
  const { status, stdout } = spawnSync(
    "sh",
    [join(RELEASE, "install.sh"), "--prefix", "a prefix"],
    { cwd: BASE, env: { PATH: `/usr/bin:/bin:${prefix}/bin` }, encoding: "utf8" },
  );
  expect(status).toBe(0);
  expect(stdout).toContain(`svc 7.7.7 is installed: ${prefix}/bin/svc\n`);
  expect(stdout).not.toContain("export PATH");
  expect(stdout).toContain("  svc install CLIENT");
  expect(readFileSync(join(prefix, "bin/svc"), "utf8")).toBe(PROGRAM);
});

test("a file that does not match SHA256SUMS is refused, and nothing is written", () => {
  const sums = join(RELEASE, "SHA256SUMS");
  const whole = readFileSync(sums, "utf8");
  writeFileSync(sums, whole.replace(PROGRAM_SUM, "0".repeat(64)));
  expect(refusal()).toContain(
    `${NAME} is damaged or not the released file: its SHA-256 is ${PROGRAM_SUM}`,
  );
  writeFileSync(sums, whole.replace(NAME, "svc-other"));
  expect(refusal()).toContain(`SHA256SUMS does not name ${NAME}`);
  writeFileSync(sums, whole);
  appendFileSync(join(RELEASE, "man/svc.1"), "more");
  expect(refusal()).toContain("man/svc.1 is damaged or not the released file");
  rmSync(sums);
  expect(refusal()).toContain("there is no SHA256SUMS next to this file");
});

test("without a program that computes SHA-256 nothing is installed", () => {
  for (const name of ["awk", "basename", "cut", "dirname", "uname"])
    fake(name, `exec /usr/bin/${name} "$@"`);
  const { status, stdout, stderr } = installWith(BIN);
  expect([status, stdout, stderr]).toEqual([
    1,
    "",
    "install.sh: neither sha256sum nor shasum is installed, so the files cannot be checked: install coreutils.\n",
  ]);
  expect(readdirSync(HOME)).toEqual([]);
});

test("a key needs a signature, and minisign to verify it", () => {
  const [, key = ""] = createSigningKey().publicKey.split("\n");
  for (const name of ["awk", "basename", "cut", "dirname", "uname", "sha256sum"])
    fake(name, `exec /usr/bin/${name} "$@"`);
  const { status, stdout, stderr } = installWith(BIN, "--public-key", key);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("minisign is not installed, so the signature cannot be verified");
  expect(readdirSync(HOME)).toEqual([]);
});

needs(["minisign"], () => {
  test("a release is installed if the key signed it, and refused if another key or nobody did", () => {
    const signing = createSigningKey();
    const keyFile = join(BASE, "svc.pub");
    writeFileSync(keyFile, signing.publicKey);
    expect(refusal("--public-key", keyFile)).toContain("the release is not signed");
    const sums = readFileSync(join(RELEASE, "SHA256SUMS"));
    const signWith = ({ secretKey }: SigningKey): void => {
      writeFileSync(join(RELEASE, "SHA256SUMS.minisig"), signature(sums, secretKey, "svc 0.0.0"));
    };
    signWith(createSigningKey());
    expect(refusal("--public-key", keyFile)).toContain("SHA256SUMS is not signed by this key.");
    signWith(signing);
    expect(install().stdout).toContain("The signature of this release was not verified");
    rmSync(join(HOME, ".local"), { recursive: true });
    const [, key = ""] = signing.publicKey.split("\n");
    const { status, stdout } = install("--public-key", key);
    expect([status, stdout.includes("was not verified")]).toEqual([0, false]);
    expect(existsSync(join(HOME, ".local/bin/svc"))).toBe(true);
  });
});

test.each([
  ["FreeBSD", "amd64", "there is no svc for FreeBSD here."],
  ["MINGW64_NT-10.0", "x86_64", "On Windows use the .exe"],
  ["Linux", "riscv64", "there is no svc for riscv64 processors."],
  ["Darwin", "arm64", "there is no svc-VERSION-darwin-arm64 in"],
])("%s on %s is refused", (system, machine, message) => {
  fake("uname", `case "$1" in -s) echo ${system} ;; -m) echo ${machine} ;; esac`);
  expect(refusal()).toContain(message);
});

test.each([
  ["Darwin", "x86_64", "darwin-x64", "it needs macOS 13.5 or later."],
  ["Darwin", "arm64", "darwin-arm64", "it needs macOS 13.5 or later."],
  [
    "Linux",
    "aarch64",
    "linux-arm64",
    "it needs glibc 2.28 or later (on Alpine, use the npm package).",
  ],
])("on %s %s, the file for %s is installed; if it does not run there, %s", (...row) => {
  const [system, machine, platform, needed] = row;
  fake("uname", `case "$1" in -s) echo ${system} ;; -m) echo ${machine} ;; esac`);
  rmSync(join(RELEASE, NAME));
  writeFileSync(join(RELEASE, `svc-0.0.0-${platform}`), PROGRAM);
  writeSums();
  expect(install().stdout).toMatch(/^svc 7\.7\.7 is installed/);
  writeFileSync(join(RELEASE, `svc-0.0.0-${platform}`), "#!/bin/sh\nexit 1\n");
  writeSums();
  expect(install().stderr).toContain(needed);
});

test("two releases in one folder, wrong arguments and an unwritable place are reported", () => {
  expect(refusal("--perfix=/opt")).toBe(
    'install.sh: "--perfix=/opt" is not an option; see sh install.sh --help.\n',
  );
  expect(refusal("--prefix")).toContain("--prefix needs a folder.");
  writeFileSync(join(BASE, "file"), "");
  expect(refusal("--prefix", join(BASE, "file"))).toContain("choose another --prefix.");
  writeFileSync(join(RELEASE, NAME.replace("0.0.0", "0.0.1")), PROGRAM);
  expect(refusal()).toContain("there are several releases in");
  expect(existsSync(join(BASE, "file/bin"))).toBe(false);
});

test("--help describes the script, and changes nothing", () => {
  const { status, stdout } = install("--help");
  expect([status, stdout.split("\n")[0]]).toEqual([
    0,
    "Usage: sh install.sh [--prefix DIR] [--public-key KEY] [--uninstall]",
  ]);
  expect(readdirSync(HOME)).toEqual([]);
});
