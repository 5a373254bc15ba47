// The files around the program in the image: the C and C++ libraries, certificates, an account. They come from the
// packages of Debian that are installed on the machine that makes the release.
import { spawnSync } from "node:child_process";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";

import { findProgram } from "../../testing/requirements.ts";
import type { ReleaseTarget } from "../targets.ts";
import type { TarEntry } from "./tar.ts";

export const IMAGE_USER = 65_532;
/** Holds the indexes and everything else that svc writes. */
export const IMAGE_DATA = "/var/cache/svc";
/** Where the folder to search is mounted. */
export const IMAGE_WORK = "/work";

const ARCHITECTURES = { x64: "amd64", arm64: "arm64" } as const;
const LIBRARIES = ["libc6", "libgcc-s1", "libstdc++6"] as const;
const CERTIFICATES = "ca-certificates";

interface ImageBase {
  readonly entries: readonly TarEntry[];
  /** Versions of the packages, `libc6 2.36-9`. */
  readonly packages: readonly string[];
}

/** Throws an error with a helpful command if a package is missing or its files were modified. */
export function imageBase(arch: ReleaseTarget["arch"]): ImageBase {
  const libraries = LIBRARIES.map((name) => `${name}:${ARCHITECTURES[arch]}`);
  const names = [...libraries, CERTIFICATES];
  requireIntact(names);
  const files = libraries.flatMap((name) =>
    listed(name).filter(
      (file) => /^\/(?:usr\/)?lib.*\.so(?:\.[\d.]+)?$/.test(file) && !file.includes("/gconv/"),
    ),
  );
  const licenses = names.map((name) => `/usr/share/doc/${name.replace(/:.*/, "")}/copyright`);
  return {
    entries: [...files, ...licenses].map(entryOf).concat(ownEntries()),
    packages: queryPackages(["-W", "-f", "${Package} ${Version}\n", ...names]),
  };
}

function text(path: string, content: string): TarEntry {
  return { path, mode: 0o644, content: Buffer.from(content) };
}

function ownEntries(): readonly TarEntry[] {
  const accounts = `root:x:0:0:root:/root:/sbin/nologin\nsvc:x:${IMAGE_USER}:${IMAGE_USER}:svc:${IMAGE_DATA}:/sbin/nologin\n`;
  const trusted = listed(CERTIFICATES).filter((file) => file.endsWith(".crt"));
  return [
    text("etc/passwd", accounts),
    text("etc/group", `root:x:0:\nsvc:x:${IMAGE_USER}:\n`),
    text("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
    text(
      "etc/ssl/certs/ca-certificates.crt",
      trusted.map((file) => readFileSync(file, "utf8")).join(""),
    ),
    { path: "tmp", mode: 0o1777 },
    { path: IMAGE_DATA.slice(1), mode: 0o700, owner: IMAGE_USER },
    { path: IMAGE_WORK.slice(1), mode: 0o755 },
  ];
}

function entryOf(file: string): TarEntry {
  const path = file.slice(1);
  if (lstatSync(file).isSymbolicLink()) return { path, mode: 0o777, target: readlinkSync(file) };
  return { path, mode: file.includes("/ld-linux") ? 0o755 : 0o644, content: readFileSync(file) };
}

/** A changed library of this machine must not get into an image. */
function requireIntact(names: readonly string[]): void {
  if (findProgram("dpkg") === undefined) throw new Error("it needs a machine with Debian");
  const { stdout } = spawnSync("dpkg", ["--verify", ...names], { encoding: "utf8" });
  const changed = stdout.split("\n").filter((line) => line.charAt(2) === "5");
  if (changed.length > 0) throw new Error(`changed since its installation: ${changed.join(", ")}`);
  const absent = names.filter((name) => spawnSync("dpkg-query", ["-W", name]).status !== 0);
  if (absent.length > 0)
    throw new Error(
      `it needs the packages ${names.join(" ")} of Debian: apt-get install them here`,
    );
}

function listed(name: string): readonly string[] {
  return queryPackages(["-L", name]);
}

function queryPackages(args: readonly string[]): readonly string[] {
  const { stdout } = spawnSync("dpkg-query", args, { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line !== "");
}
