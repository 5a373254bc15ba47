// What a release offers to this machine, from its SHA256SUMS and their signature. Nothing is written.

import { SvcError } from "../base/errors.ts";
import { verifySignature, type PublicKey } from "./minisign.ts";
import type { ReleaseSource } from "./release-source.ts";
import { compareVersions } from "./versions.ts";

export interface UpgradePlan {
  readonly current: string;
  readonly version: string;
  readonly state: "newer" | "same" | "older";
  /** The file to read, compressed if its name ends with `.gz`. */
  readonly file: string;
  /** SHA-256 of that file, and of the program in it. */
  readonly fileSum: string;
  readonly programSum: string;
  /** The id of the key that signed the sums; undefined if no key is known. */
  readonly signedBy: string | undefined;
}

export const SUMS = "SHA256SUMS";
const SIGNATURE = `${SUMS}.minisig`;
const MAX_SUMS_BYTES = 1 << 20;
const MAX_SIGNATURE_BYTES = 4096;

interface PlanOptions {
  /** The version that runs. */
  readonly current: string;
  /** As in the names of files: `linux-x64`. */
  readonly platform: string;
  /** With a key, a release without its signature is refused. */
  readonly key: PublicKey | undefined;
}

/** Throws UPGRADE_FAILED if the release is incomplete, not signed by the key, or not for this platform. */
export async function planUpgrade(
  source: ReleaseSource,
  { current, platform, key }: PlanOptions,
): Promise<UpgradePlan> {
  const bytes = await source.read(SUMS, MAX_SUMS_BYTES);
  if (bytes === undefined) {
    throw new SvcError("UPGRADE_FAILED", `${source.name} is not a release: it has no ${SUMS}.`, {
      hint: "Name the folder or address that holds the files of one release.",
    });
  }
  if (key !== undefined) await requireSignature(source, bytes, key);
  const sums = parseSums(bytes.toString());
  const { version, program } = programOf(sums, platform, source.name);
  const compressed = `${program}.gz`;
  const file = source.isRemote && sums.has(compressed) ? compressed : program;
  const difference = compareVersions(version, current);
  return {
    current,
    version,
    state: difference > 0 ? "newer" : difference === 0 ? "same" : "older",
    file,
    fileSum: sums.get(file) ?? "",
    programSum: sums.get(program) ?? "",
    signedBy: key?.id,
  };
}

/** The platform of this process, as the files of a release name it. */
export function platformName(platform: string, arch: string): string {
  return `${platform === "win32" ? "win" : platform}-${arch}`;
}

async function requireSignature(
  source: ReleaseSource,
  sums: Uint8Array,
  key: PublicKey,
): Promise<void> {
  const signature = await source.read(SIGNATURE, MAX_SIGNATURE_BYTES);
  if (signature === undefined) {
    throw new SvcError(
      "UPGRADE_FAILED",
      `The release is not signed: ${source.name} has no ${SIGNATURE}.`,
      {
        hint: `A signature of the key ${key.id} is required. Get a signed release.`,
      },
    );
  }
  verifySignature(sums, signature.toString(), key);
}

/** Lines of sha256sum, by the name of the file. */
function parseSums(text: string): ReadonlyMap<string, string> {
  const lines = text.matchAll(/^(?<sum>[0-9a-f]{64}) [ *](?<file>\S+)$/gm);
  return new Map(
    Array.from(lines, ({ groups }) => [groups?.["file"] ?? "", groups?.["sum"] ?? ""]),
  );
}

function programOf(
  sums: ReadonlyMap<string, string>,
  platform: string,
  release: string,
): { readonly version: string; readonly program: string } {
  const form = new RegExp(
    `^svc-(?<version>\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.]+)?)-${platform}(?:\\.exe)?$`,
  );
  const found = [...sums.keys()].flatMap((program) => {
    const version = form.exec(program)?.groups?.["version"];
    return version === undefined ? [] : [{ version, program }];
  });
  const [first, second] = found;
  if (first === undefined) {
    throw new SvcError("UPGRADE_FAILED", `${release} has no executable for ${platform}.`, {
      hint: "Use the npm package of the release, with Node 24 or later.",
    });
  }
  if (second !== undefined) {
    throw new SvcError("UPGRADE_FAILED", `${release} has several executables for ${platform}.`, {
      hint: `Keep one release in a folder: ${first.program} or ${second.program}.`,
    });
  }
  return first;
}
