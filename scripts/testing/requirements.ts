// The requirements of some tests in addition to Node and git: the programs, with the Debian package of each,
// and rights. `npm run test:setup` installs from this list, and `needs` of test/helpers/needs.ts skips tests by it.
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { postgresPrograms } from "./postgres-programs.ts";

interface TestRequirement {
  /** The programs that must be on the PATH. */
  readonly programs: readonly string[];
  /** Debian packages that bring them. */
  readonly packages: readonly string[];
  /** The purpose for which the tests use them. */
  readonly purpose: string;
  /** Checks a property that the presence of the program on the PATH does not show. */
  readonly works?: () => boolean;
}

export const TEST_REQUIREMENTS = {
  zsh: { programs: ["zsh"], packages: ["zsh"], purpose: "shell completions in zsh" },
  fish: { programs: ["fish"], packages: ["fish"], purpose: "shell completions in fish" },
  mandoc: { programs: ["mandoc"], packages: ["mandoc"], purpose: "the format of the manual pages" },
  ctags: {
    programs: ["ctags"],
    packages: ["universal-ctags"],
    purpose: "the comparison of symbols with ctags",
  },
  strace: {
    programs: ["strace"],
    packages: ["strace"],
    purpose: "faults at each system call, and the sockets that svc opens",
    // Some containers forbid tracing.
    works: () => spawnSync("strace", ["-qqq", "-e", "signal=none", "true"]).status === 0,
  },
  chromium: {
    programs: ["chromium"],
    packages: ["chromium", "fonts-dejavu-core"],
    purpose: "the search page in a browser",
  },
  keyring: {
    programs: ["dbus-run-session", "dbus-send", "gnome-keyring-daemon"],
    packages: ["dbus", "gnome-keyring"],
    purpose: "credentials in a real keychain",
  },
  postgres: {
    programs: [],
    packages: ["postgresql"],
    purpose: "the shared backend on a PostgreSQL server (initdb)",
    // Debian keeps the programs off the PATH.
    works: () => postgresPrograms() !== undefined,
  },
  openssl: { programs: ["openssl"], packages: ["openssl"], purpose: "TLS certificates" },
  llvm: {
    programs: ["llvm-nm", "llvm-objdump"],
    packages: ["llvm"],
    purpose: "executables of macOS, read by another program",
  },
  mount: {
    programs: ["mount", "umount"],
    packages: ["mount"],
    purpose: "full and read-only disks (as root)",
    works: canMount,
  },
  namespaces: {
    programs: ["unshare"],
    packages: ["util-linux"],
    purpose: "separate disks and limits (as root, or if users may create namespaces)",
    works: canUnshare,
  },
  networks: {
    programs: ["ip", "unshare", "nsenter"],
    packages: ["iproute2", "util-linux"],
    purpose: "hosts with networks of their own (as root)",
    works: canJoinNetworks,
  },
  overlay: {
    programs: ["unshare", "mount", "chroot"],
    packages: ["util-linux", "mount", "coreutils"],
    purpose: "installations into a copy of this system (as root)",
    works: canOverlay,
  },
  dpkg: {
    programs: ["dpkg", "dpkg-deb"],
    packages: ["dpkg"],
    purpose: "the Debian package",
  },
  lintian: {
    programs: ["lintian"],
    packages: ["lintian"],
    purpose: "the rules of Debian for packages",
  },
  minisign: {
    programs: ["minisign"],
    packages: ["minisign"],
    purpose: "signatures of releases",
  },
  ruby: { programs: ["ruby"], packages: ["ruby"], purpose: "the formula for Homebrew" },
  root: {
    programs: [],
    packages: [],
    purpose: "files of other accounts (as root)",
    works: () => process.getuid?.() === 0,
  },
} as const satisfies Readonly<Record<string, TestRequirement>>;

/** Begins the title of a suite of skipped tests; the names of the missing needs follow. */
export const REQUIREMENT_PREFIX = "needs ";

export type RequirementName = keyof typeof TEST_REQUIREMENTS;

export const REQUIREMENT_NAMES: readonly RequirementName[] =
  Object.keys(TEST_REQUIREMENTS).filter(isNeedName);

/** The missing needs of this machine; a name represents all programs of its row. */
export function missingRequirements(
  names: readonly RequirementName[] = REQUIREMENT_NAMES,
): readonly RequirementName[] {
  return names.filter((name) => {
    const { programs, works }: TestRequirement = TEST_REQUIREMENTS[name];
    return !programs.every((program) => findProgram(program) !== undefined) || works?.() === false;
  });
}

/** The file on the PATH that a shell would start; undefined if there is none. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find(isProgram);
}

/** One line for each need: its programs and what the tests do with them. */
export function describeRequirements(names: readonly RequirementName[]): readonly string[] {
  return names.map((name) => {
    const { programs, purpose } = TEST_REQUIREMENTS[name];
    return `  ${[...programs].join(", ") || name}: ${purpose}`;
  });
}

function isNeedName(name: string): name is RequirementName {
  return Object.hasOwn(TEST_REQUIREMENTS, name);
}

function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), "svc-mount-"));
  try {
    const mount = ["-t", "tmpfs", "-o", "size=4k", "tmpfs", folder];
    if (spawnSync("mount", mount).status !== 0) return false;
    return spawnSync("umount", ["-l", folder]).status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates a mount namespace with its own disk, and a user namespace with its own limit. */
function canUnshare(): boolean {
  const rights = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "svc", tmpdir()];
  const limit = ["sh", "-c", "echo 9 > /proc/sys/user/max_inotify_watches"];
  return [
    [...rights, "--mount", ...mount],
    ["--user", "--map-root-user", ...limit],
  ].every((args) => spawnSync("unshare", args).status === 0);
}

/** Mounts a copy of the system's files that is lost at the end. */
function canOverlay(): boolean {
  const disk = "mount -t tmpfs svc /mnt && mkdir /mnt/upper /mnt/work /mnt/root";
  const copy = "mount -t overlay svc -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root";
  const script = `${disk} && ${copy} && chroot /mnt/root true`;
  return spawnSync("unshare", ["--mount", "sh", "-c", script]).status === 0;
}

/** Joins a network namespace to a switch in another one. */
function canJoinNetworks(): boolean {
  const links = [
    "ip link add switch type bridge",
    "ip link add port type veth peer name cable netns $$",
    "ip link set port master switch up",
  ];
  return spawnSync("unshare", ["--net", "sh", "-c", links.join(" && ")]).status === 0;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
