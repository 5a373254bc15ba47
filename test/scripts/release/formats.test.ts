// Executables of macOS and Windows on another system: addons that their makers linked and signed on those systems.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { formatProblems } from "../../../scripts/release/executable-format.ts";
import {
  certificateOf,
  checksumOf,
  recordedChecksum,
  withoutCertificate,
  writeChecksum,
} from "../../../scripts/release/formats/pe.ts";
import { signatureProblem, signMachO } from "../../../scripts/release/formats/sign-mach-o.ts";
import { stripMachO } from "../../../scripts/release/formats/strip-mach-o.ts";
import { needs } from "../../helpers/needs.ts";

const PACKAGES = join(import.meta.dirname, "../../../node_modules");
const GRAMMARS = ["tree-sitter-c", "tree-sitter-json", "tree-sitter-go"];
const WORK = mkdtempSync(join(tmpdir(), "svc-formats-"));
afterAll(() => rmSync(WORK, { recursive: true, force: true }));

function addon(grammar: string, platform: string): Buffer {
  return readFileSync(join(PACKAGES, grammar, "prebuilds", platform, `${grammar}.node`));
}

/** The content of a signature, read only by its layout. */
interface Signature {
  readonly name: string;
  readonly flags: number;
  readonly codeBytes: number;
  readonly pages: readonly string[];
  /** Hashes before those of the pages. */
  readonly special: readonly string[];
  readonly requirements: Buffer | undefined;
}

/** All of the file's load commands, `[type, offset]`. */
function loadCommands(file: Buffer): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  let at = 32;
  for (let i = 0; i < file.readUInt32LE(16); i++) {
    found.push([file.readUInt32LE(at), at]);
    at += file.readUInt32LE(at + 4);
  }
  expect(at - 32).toBe(file.readUInt32LE(20));
  return found;
}

function signatureOf(file: Buffer): Signature {
  const [, command = 0] = loadCommands(file).find(([type]) => type === 0x1d) ?? [];
  const whole = file.subarray(file.readUInt32LE(command + 8));
  expect(whole.length).toBe(file.readUInt32LE(command + 12));
  expect(whole.readUInt32BE(0)).toBe(0xfade0cc0);
  const blobs = new Map<number, Buffer>();
  for (let i = 0; i < whole.readUInt32BE(8); i++) {
    const at = whole.readUInt32BE(16 + i * 8);
    blobs.set(whole.readUInt32BE(12 + i * 8), whole.subarray(at, at + whole.readUInt32BE(at + 4)));
  }
  const directory = blobs.get(0) ?? Buffer.alloc(0);
  const hash = (i: number): string => {
    const at = directory.readUInt32BE(16) + i * 32;
    return directory.toString("hex", at, at + 32);
  };
  const name = directory.readUInt32BE(20);
  return {
    name: directory.toString("latin1", name, directory.indexOf(0, name)),
    flags: directory.readUInt32BE(12),
    codeBytes: directory.readUInt32BE(32),
    pages: Array.from({ length: directory.readUInt32BE(28) }, (_, i) => hash(i)),
    special: Array.from({ length: directory.readUInt32BE(24) }, (_, i) => hash(-1 - i)),
    requirements: blobs.get(2),
  };
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The hashes of the first `codeBytes` bytes, 4,096 each. */
function hashes(file: Buffer, codeBytes: number): readonly string[] {
  const pages = [];
  for (let at = 0; at < codeBytes; at += 4096)
    pages.push(sha256(file.subarray(at, Math.min(at + 4096, codeBytes))));
  return pages;
}

test.each(GRAMMARS)("the signature that Apple's linker gave %s is verified", (grammar) => {
  const file = addon(grammar, "darwin-arm64");
  expect(signatureProblem(file)).toBeUndefined();
  const { codeBytes, pages } = signatureOf(file);
  expect(hashes(file, codeBytes)).toEqual(pages);
});

test("pages of 16 KiB, which Apple's tools take as well, are verified", () => {
  const file = addon("tree-sitter-c", "darwin-arm64");
  const [, command = 0] = loadCommands(file).find(([type]) => type === 0x1d) ?? [];
  const start = file.readUInt32LE(command + 8);
  const directory = start + file.readUInt32BE(start + 16);
  const hashesAt = directory + file.readUInt32BE(directory + 16);
  file[directory + 39] = 14;
  for (let at = 0; at < start; at += 16_384) {
    const hash = sha256(file.subarray(at, Math.min(at + 16_384, start)));
    file.write(hash, hashesAt + (at / 16_384) * 32, "hex");
  }
  expect(signatureProblem(file)).toBeUndefined();
  file[20_000] = (file[20_000] ?? 0) + 1;
  expect(signatureProblem(file)).toBe("its signature does not fit page 1");
});

test.each(GRAMMARS)("signed again, %s has the page hashes of Apple's linker", (grammar) => {
  const file = addon(grammar, "darwin-arm64");
  const again = signatureOf(signMachO(file, "svc"));
  const original = signatureOf(file);
  expect(again.codeBytes).toBe(original.codeBytes);
  // The first page has the size of the signature.
  expect(again.pages.slice(1)).toEqual(original.pages.slice(1));
});

test.each(GRAMMARS.flatMap((name) => [[name, "arm64"] as const, [name, "x64"] as const]))(
  "%s for %s, without local symbols, has a signature of its own that fits",
  (grammar, arch) => {
    const file = addon(grammar, `darwin-${arch}`);
    const stripped = stripMachO(file);
    expect(stripped.length).toBeLessThan(file.length);
    expect(signatureProblem(stripped)).toBe("it is not signed");
    const signed = signMachO(stripped, "svc");
    expect(signatureProblem(signed)).toBeUndefined();
    const signature = signatureOf(signed);
    const { codeBytes, pages, special, requirements } = signature;
    expect(signature).toMatchObject({ name: "svc", flags: 2 });
    expect(hashes(signed, codeBytes)).toEqual(pages);
    expect(special).toEqual(["0".repeat(64), sha256(requirements ?? Buffer.alloc(0))]);
    expect(signMachO(signed, "svc").equals(signed)).toBe(true);
    // Code and data are the same to the byte, from the end of the header on.
    const linkedit = loadCommands(file).find(
      ([type, at]) => type === 0x19 && file.toString("latin1", at + 8, at + 18) === "__LINKEDIT",
    );
    const end = Number(file.readBigUInt64LE((linkedit?.[1] ?? 0) + 40));
    expect(end).toBeGreaterThan(4096);
    expect(signed.subarray(4096, end).equals(file.subarray(4096, end))).toBe(true);
  },
);

test("one changed byte anywhere breaks the signature", () => {
  const signed = signMachO(addon("tree-sitter-json", "darwin-arm64"), "svc");
  const { codeBytes } = signatureOf(signed);
  for (const at of [40, 4096, Math.floor(codeBytes / 2), codeBytes - 1]) {
    const changed = Buffer.from(signed);
    changed[at] = (changed[at] ?? 0) + 1;
    expect([at, signatureProblem(changed)]).toEqual([
      at,
      `its signature does not fit page ${Math.floor(at / 4096)}`,
    ]);
  }
  expect(signatureProblem(signed.subarray(0, -16))).toBe("its signature is not at its end");
});

test("a file of another format, or a damaged one, is refused", () => {
  for (const change of [stripMachO, signatureProblem, (file: Buffer) => signMachO(file, "svc")]) {
    expect(() => change(readFileSync(process.execPath).subarray(0, 4096))).toThrow(
      "it is not a 64-bit Mach-O file",
    );
    const damaged = addon("tree-sitter-json", "darwin-arm64");
    damaged.writeUInt32LE(0, 36);
    expect(() => change(damaged)).toThrow("its load commands are damaged");
  }
  expect(() => withoutCertificate(Buffer.alloc(4096))).toThrow(
    "it is not a 64-bit Windows executable",
  );
});

needs(["llvm"], () => {
  test.each(GRAMMARS)("LLVM finds in %s the symbols that addons and macOS look up", (grammar) => {
    for (const arch of ["arm64", "x64"]) {
      const file = addon(grammar, `darwin-${arch}`);
      writeFileSync(join(WORK, "before"), file);
      writeFileSync(join(WORK, "after"), signMachO(stripMachO(file), "svc"));
      for (const wanted of ["--extern-only", "--undefined-only"]) {
        const list = (name: string): string =>
          execFileSync("llvm-nm", [wanted, join(WORK, name)], { encoding: "utf8" });
        expect(list("after")).not.toBe("");
        expect(list("after")).toBe(list("before"));
      }
      const stubs = (name: string): readonly string[] =>
        llvmObjdump("--indirect-symbols", name).map((line) => line.replace(/ +\d+ /, " "));
      expect(stubs("after")).toEqual(stubs("before"));
      expect(llvmObjdump("--private-headers", "after").join("\n")).toContain("LC_CODE_SIGNATURE");
    }
  });
});

/** Its lines without the name of the file; the test fails if it warns of anything. */
function llvmObjdump(option: string, name: string): readonly string[] {
  const args = ["--macho", option, join(WORK, name)];
  const { status, stdout, stderr } = spawnSync("llvm-objdump", args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").slice(1);
}

/** As the sum is described: all 16-bit words, the carry added at the end. */
function sumOfWords(file: Buffer): number {
  const words = new Uint16Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
  let sum = words.reduce((total, word) => total + word, 0);
  while (sum > 0xffff) sum = (sum % 0x10000) + Math.floor(sum / 0x10000);
  return sum + file.length;
}

test.each(GRAMMARS)("the certificate of %s is taken away and its checksum is right", (grammar) => {
  const file = addon(grammar, "win32-x64");
  expect([recordedChecksum(file), certificateOf(file).size]).toEqual([0, 0]);
  expect(checksumOf(file)).toBe(sumOfWords(file));

  const optional = file.readUInt32LE(0x3c) + 24;
  const signed = Buffer.concat([file, Buffer.alloc(16, 7)]);
  signed.writeUInt32LE(file.length, optional + 144);
  signed.writeUInt32LE(16, optional + 148);
  expect(certificateOf(signed)).toEqual({ offset: file.length, size: 16 });
  expect(withoutCertificate(signed).equals(file)).toBe(true);
  expect(() => withoutCertificate(Buffer.concat([signed, Buffer.alloc(8)]))).toThrow(
    "its certificate is not at the end of the file",
  );

  writeChecksum(file);
  expect(recordedChecksum(file)).toBe(checksumOf(file));
  expect(recordedChecksum(file)).toBeGreaterThan(file.length);
});

function problems(file: Buffer, platform: "darwin" | "linux" | "win32"): readonly string[] {
  return formatProblems(file, { platform, arch: "x64" }, "tree_sitter_json");
}

test("a release is refused for a signature, a certificate or a checksum that does not fit", () => {
  const mac = addon("tree-sitter-json", "darwin-x64");
  expect(problems(mac, "darwin")).toContain("it is not signed");
  const others = ["no fuse of Node", "no program data"];
  expect(problems(signMachO(mac, "svc"), "darwin")).toEqual(others);

  const windows = addon("tree-sitter-json", "win32-x64");
  expect(problems(windows, "win32")).toEqual(["its checksum is wrong", ...others]);
  writeChecksum(windows);
  expect(problems(windows, "win32")).toEqual(others);
  windows.writeUInt32LE(16, windows.readUInt32LE(0x3c) + 24 + 148);
  expect(problems(windows, "win32")).toContain("it has a certificate, which does not fit it");

  const linux = readFileSync(process.execPath).subarray(0, 4096);
  expect(problems(Buffer.concat([linux, Buffer.from("libatomic.so.1\0")]), "linux")).toContain(
    "it needs libatomic.so",
  );
});
