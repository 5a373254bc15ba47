// Folders with the files of a release, and keys that sign them, in the formats of sha256sum and minisign.
import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { signature } from "../../scripts/release/sign.ts";
import { platformName } from "../../src/upgrade/plan-upgrade.ts";

export interface SigningKey {
  /** Texts of the files that `minisign -G -W` writes. */
  readonly publicKey: string;
  readonly secretKey: string;
}

export function createSigningKey(id = "01234567"): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const seed = privateKey.export({ format: "der", type: "pkcs8" }).subarray(-32);
  const point = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  const noDerivation = Buffer.alloc(48);
  const secret = [Buffer.from("Ed\0\0B2", "latin1"), noDerivation, Buffer.from(id), seed, point];
  return {
    publicKey: text("public key", Buffer.concat([Buffer.from("Ed"), Buffer.from(id), point])),
    secretKey: text("secret key", Buffer.concat([...secret, Buffer.alloc(32)])),
  };
}

function text(what: string, bytes: Buffer): string {
  return `untrusted comment: minisign ${what}\n${bytes.toString("base64")}\n`;
}

export interface ReleaseFolder {
  readonly folder: string;
  /** Name of the executable of this platform. */
  readonly program: string;
  /** Signs what the sums are. */
  readonly sign: (key: SigningKey) => void;
}

/** Writes a release with one program for this platform, also compressed. */
export function writeRelease(folder: string, version: string, program: Uint8Array): ReleaseFolder {
  mkdirSync(folder, { recursive: true });
  const name = `svc-${version}-${platformName(process.platform, process.arch)}`;
  const files = { [name]: program, [`${name}.gz`]: gzipSync(program, { level: 1 }) };
  const lines = Object.entries(files).map(([file, bytes]) => {
    writeFileSync(join(folder, file), bytes);
    return `${createHash("sha256").update(bytes).digest("hex")}  ${file}\n`;
  });
  const sums = lines.join("");
  writeFileSync(join(folder, "SHA256SUMS"), sums);
  return {
    folder,
    program: name,
    sign({ secretKey }) {
      const signed = signature(Buffer.from(sums), secretKey, `svc ${version}`);
      writeFileSync(join(folder, "SHA256SUMS.minisig"), signed);
    },
  };
}
