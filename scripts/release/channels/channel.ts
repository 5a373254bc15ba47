// A channel: one way to install svc, made from the finished executables of a release.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { ReleaseFile } from "../notes.ts";
import type { ReleaseTarget } from "../targets.ts";
import type { Product } from "./product.ts";

/** An executable of this release. */
export interface MadeExecutable {
  readonly target: ReleaseTarget;
  /** Path of the file; `.notices.txt` next to it has its third-party licences. */
  readonly executable: string;
}

export interface ChannelInput {
  readonly product: Product;
  /** Folder of the release. */
  readonly folder: string;
  /** Empty folder for intermediate files. */
  readonly work: string;
  readonly made: readonly MadeExecutable[];
  /** Path of the program as built for this machine. */
  readonly program: string;
  /** Folder of the unpacked npm package. */
  readonly npmPackage: string;
}

export interface Channel {
  readonly name: string;
  /** Writes its files into the folder of the release. Throws if one of them does not work. */
  readonly make: (input: ChannelInput) => Promise<ChannelOutput> | ChannelOutput;
}

export interface ChannelOutput {
  readonly files: readonly ReleaseFile[];
  /** Files that this machine could not make: name -> reason. */
  readonly missing?: Readonly<Record<string, string>>;
}

/** Writes a file of the release. */
export function released(
  folder: string,
  file: string,
  bytes: Uint8Array,
  { ran, tried }: Pick<ReleaseFile, "ran" | "tried">,
): ReleaseFile {
  writeFileSync(path.join(folder, file), bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { file, sha256, sizeBytes: bytes.length, ran, tried };
}

export function noticesOf({ executable }: MadeExecutable): string {
  return readFileSync(`${executable}.notices.txt`, "utf8");
}

/** Throws unless the program prints the version of the release. */
export function requireVersion(
  command: string,
  args: readonly string[],
  { version }: Pick<Product, "version">,
): void {
  const printed = execFileSync(command, args, { encoding: "utf8" }).trim();
  if (printed !== version)
    throw new Error(`${[command, ...args].join(" ")} printed "${printed}", not ${version}`);
}
