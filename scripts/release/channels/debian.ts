// A Debian package for each Linux architecture: the program, manual pages, completions, and a systemd unit for `svc
// serve` that nothing starts. It has no scripts that run as root at the installation.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { constants, gzipSync } from "node:zlib";

import { findProgram } from "../../testing/requirements.ts";
import { isHost } from "../executables.ts";
import type { ReleaseTarget } from "../targets.ts";
import { noticesOf, released, requireVersion, type Channel } from "./channel.ts";
import { completionScripts } from "./completions.ts";
import { ROOT, type Product } from "./product.ts";

/** In Debian's terms. */
const ARCHITECTURES = { x64: "amd64", arm64: "arm64" } as const;

/** Debian looks for completions at these places. */
const COMPLETIONS: Readonly<Record<string, string>> = {
  "svc.bash": "usr/share/bash-completion/completions/svc",
  _svc: "usr/share/zsh/vendor-completions/_svc",
  "svc.fish": "usr/share/fish/vendor_completions.d/svc.fish",
};

/** Intentional lintian findings. */
const OVERRIDES = [
  "# An executable of Node with the program in it: Node's own libraries are part of it.",
  "svc: embedded-library *",
  "# Node is built so; its symbols are removed by scripts/strip-elf.mjs.",
  "svc: hardening-no-pie *",
];

interface DebianPackage {
  readonly target: ReleaseTarget;
  readonly executable: string;
  readonly notices: string;
  /** Scripts by file, from `completionScripts`. */
  readonly completions: ReadonlyMap<string, string>;
  readonly product: Product;
  /** Empty folder for the tree of the package. */
  readonly work: string;
  /** Arguments of dpkg-deb; by default the fastest level of xz, which takes 10 s and makes 44 MB of 130. */
  readonly compression?: readonly string[];
}

/** Writes the package into `work` and returns its path. */
export function buildDebianPackage(options: DebianPackage): string {
  const { target, product, compression = ["-Zxz", "-z1", "--threads-max=1"] } = options;
  const tree = mkdtempSync(path.join(options.work, "tree-"));
  const files = filesOf(options);
  for (const [file, { bytes, mode }] of files) {
    mkdirSync(path.join(tree, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(tree, file), bytes, { mode });
  }
  const control = path.join(tree, "DEBIAN");
  mkdirSync(control);
  writeFileSync(path.join(control, "control"), controlText(options, files), { mode: 0o644 });
  writeFileSync(path.join(control, "md5sums"), sumsText(files), { mode: 0o644 });
  settle(tree, product.sourceTime);
  const output = path.join(options.work, debianFile(target, product));
  execFileSync("dpkg-deb", ["--root-owner-group", ...compression, "--build", tree, output], {
    env: { PATH: process.env["PATH"], SOURCE_DATE_EPOCH: String(product.sourceTime) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return output;
}

export function debianFile(target: ReleaseTarget, { name, version }: Product): string {
  return `${name}_${version}_${ARCHITECTURES[target.arch]}.deb`;
}

interface PackagedFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

type PackagedFiles = ReadonlyMap<string, PackagedFile>;

function filesOf({ executable, notices, completions, product }: DebianPackage): PackagedFiles {
  const doc = `usr/share/doc/${product.name}`;
  const texts = new Map([
    [`${doc}/copyright`, Buffer.from(copyrightText(product))],
    [`${doc}/changelog.gz`, packed(changelogText(product))],
    [`${doc}/CHANGELOG.md.gz`, packed(readFileSync(path.join(ROOT, "CHANGELOG.md")))],
    [`${doc}/THIRD_PARTY_NOTICES.gz`, packed(notices)],
    [`usr/share/lintian/overrides/${product.name}`, Buffer.from(`${OVERRIDES.join("\n")}\n`)],
    [
      `usr/lib/systemd/system/${product.name}.service`,
      readFileSync(path.join(import.meta.dirname, "debian/svc.service")),
    ],
  ]);
  for (const page of readdirSync(path.join(ROOT, "man")))
    texts.set(`usr/share/man/man1/${page}.gz`, packed(readFileSync(path.join(ROOT, "man", page))));
  for (const [file, place] of Object.entries(COMPLETIONS)) {
    const text = completions.get(file);
    if (text === undefined) throw new Error(`there is no completion script ${file}`);
    texts.set(place, Buffer.from(text));
  }
  const files = new Map<string, PackagedFile>(
    Array.from(texts, ([file, bytes]) => [file, { bytes, mode: 0o644 }]),
  );
  files.set(`usr/bin/${product.name}`, { bytes: readFileSync(executable), mode: 0o755 });
  return files;
}

function controlText({ target, product }: DebianPackage, files: PackagedFiles): string {
  const program = files.get(`usr/bin/${product.name}`)?.bytes ?? new Uint8Array(0);
  const kilobytes = [...files.values()].reduce(
    (total, { bytes }) => total + Math.ceil(bytes.length / 1024),
    0,
  );
  const { name, email } = product.maintainer;
  return [
    `Package: ${product.name}`,
    `Version: ${product.version}`,
    `Architecture: ${ARCHITECTURES[target.arch]}`,
    `Maintainer: ${name} <${email}>`,
    `Installed-Size: ${kilobytes}`,
    `Depends: ${librariesOf(Buffer.from(program.buffer)).join(", ")}`,
    "Recommends: git",
    // Debian has another program of the same name.
    "Conflicts: daemontools",
    "Section: devel",
    "Priority: optional",
    `Homepage: ${product.homepage}`,
    "Description: local search engine for code and documentation",
    " svc indexes the folders and repositories of this machine and answers questions",
    " about them with the definitions and sections that match best, each with its",
    " path and lines: at a shell, on a page in the browser, and as an MCP server for",
    " coding agents. It needs no network.",
    "",
  ].join("\n");
}

/** The packages of the C and C++ libraries, at the versions whose symbols the program asks for. */
export function librariesOf(program: Buffer): readonly string[] {
  const text = program.toString("latin1");
  const newest = (prefix: string): number => {
    const found = text.matchAll(
      new RegExp(String.raw`\0${prefix.replaceAll(".", "[.]")}(\d+)(?=\0)`, "g"),
    );
    return Math.max(0, ...Array.from(found, ([, number]) => Number(number)));
  };
  // gcc.gnu.org/onlinedocs/libstdc++/manual/abi.html
  const compilers: Readonly<Record<number, string>> = {
    11: "7",
    12: "9",
    13: "11",
    14: "13",
    15: "14",
  };
  const abi = newest("CXXABI_1.3.");
  const compiler = abi < 11 ? "7" : compilers[abi];
  if (compiler === undefined) throw new Error(`no libstdc++6 is known that has CXXABI_1.3.${abi}`);
  return [
    `libc6 (>= 2.${newest("GLIBC_2.")})`,
    "libgcc-s1 | libgcc1",
    `libstdc++6 (>= ${compiler})`,
  ];
}

function sumsText(files: PackagedFiles): string {
  const lines = [...files.keys()].toSorted().map((file) => {
    const sum = createHash("md5")
      .update(files.get(file)?.bytes ?? "")
      .digest("hex");
    return `${sum}  ${file}\n`;
  });
  return lines.join("");
}

function copyrightText({ license, maintainer, homepage, sourceTime }: Product): string {
  const lines = readFileSync(path.join(ROOT, "LICENSE"), "utf8").trim().split("\n");
  const terms = lines.map((line) => (line.trim() === "" ? " ." : ` ${line}`));
  return [
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
    "Upstream-Name: svc",
    `Upstream-Contact: ${maintainer.name} <${maintainer.email}>`,
    `Source: ${homepage}`,
    "Comment: The licences of the components in the program are in",
    " /usr/share/doc/svc/THIRD_PARTY_NOTICES.gz; `svc --licenses` prints them.",
    "",
    "Files: *",
    `Copyright: ${new Date(sourceTime * 1000).getUTCFullYear()} ${maintainer.name}`,
    `License: ${license === "MIT" ? "Expat" : license}`,
    ...terms,
    "",
  ].join("\n");
}

function changelogText({ name, version, maintainer, sourceTime }: Product): string {
  const date = new Date(sourceTime * 1000).toUTCString().replace("GMT", "+0000");
  return [
    `${name} (${version}) unstable; urgency=medium`,
    "",
    "  * CHANGELOG.md.gz in this folder has the changes of this version.",
    "",
    ` -- ${maintainer.name} <${maintainer.email}>  ${date}`,
    "",
  ].join("\n");
}

function packed(text: string | Uint8Array): Buffer {
  return gzipSync(text, { level: constants.Z_BEST_COMPRESSION });
}

/** The same modes and times for every builder, under any umask. */
function settle(tree: string, time: number): void {
  execFileSync("chmod", ["-R", "u=rwX,go=rX", tree]);
  for (const name of readdirSync(tree, { recursive: true, encoding: "utf8" }))
    utimesSync(path.join(tree, name), time, time);
  utimesSync(tree, time, time);
}

export const debianChannel: Channel = {
  name: "debian",
  make({ product, folder, work, made, program }) {
    if (findProgram("dpkg-deb") === undefined)
      return { files: [], missing: { "Debian package": "dpkg-deb is not installed here" } };
    const completions = completionScripts(program);
    const files = made
      .filter(({ target }) => target.platform === "linux")
      .map((one) => {
        const { target, executable } = one;
        const notices = noticesOf(one);
        const built = buildDebianPackage({
          target,
          executable,
          notices,
          completions,
          product,
          work,
        });
        const file = path.basename(built);
        if (!isHost(target))
          return released(folder, file, readFileSync(built), {
            ran: false,
            tried: "not installed: for another processor",
          });
        const unpacked = path.join(work, "unpacked");
        execFileSync("dpkg-deb", ["--extract", built, unpacked]);
        requireVersion(path.join(unpacked, "usr/bin/svc"), ["--version"], product);
        return released(folder, file, readFileSync(built), {
          ran: true,
          tried: "unpacked, and ran",
        });
      });
    return { files };
  },
};
