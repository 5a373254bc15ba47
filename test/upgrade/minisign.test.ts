import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { signature } from "../../scripts/release/sign.ts";
import { parsePublicKey, verifySignature, type PublicKey } from "../../src/upgrade/minisign.ts";
import { needs } from "../helpers/needs.ts";
import { createSigningKey } from "../helpers/signed-release.ts";

const BASE = mkdtempSync(join(tmpdir(), "svc-minisign-"));
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

const MESSAGE = Buffer.from("0123  svc-1.2.3-linux-x64\n");
const KEY = createSigningKey();
const SIGNED = signature(MESSAGE, KEY.secretKey, "svc 1.2.3");

function publicKey(text: string): PublicKey {
  const key = parsePublicKey(text);
  if (key === undefined) throw new Error("it is a key");
  return key;
}

test("a signature by the key returns its comment; the second line of the key file is enough", () => {
  const [, line = ""] = KEY.publicKey.split("\n");
  expect(verifySignature(MESSAGE, SIGNED, publicKey(KEY.publicKey))).toBe("svc 1.2.3");
  expect(verifySignature(MESSAGE, SIGNED, publicKey(line))).toBe("svc 1.2.3");
  expect(publicKey(line).id).toBe("3736353433323130");
});

test.each([
  ["another message", Buffer.from("other"), SIGNED, "does not fit SHA256SUMS"],
  ["a changed comment", MESSAGE, SIGNED.replace("1.2.3", "1.2.2"), "has a changed comment"],
  ["a text that is no signature", MESSAGE, "hello\n", "is not a signature of minisign"],
  ["an empty text", MESSAGE, "", "is not a signature of minisign"],
  [
    "a signature by another key with the same id",
    MESSAGE,
    signature(MESSAGE, createSigningKey().secretKey, "svc 1.2.3"),
    "does not fit SHA256SUMS",
  ],
  [
    "a signature by a key with another id",
    MESSAGE,
    signature(MESSAGE, createSigningKey("abcdefgh").secretKey, "svc 1.2.3"),
    "was made with the key 6867666564636261, not with 3736353433323130",
  ],
])("%s is refused", (_, message, signed, problem) => {
  expect(() => verifySignature(message, signed, publicKey(KEY.publicKey))).toThrow(problem);
});

test("a text that is no public key is none", () => {
  expect(parsePublicKey("")).toBeUndefined();
  expect(parsePublicKey("untrusted comment: x\nAAAA\n")).toBeUndefined();
  expect(parsePublicKey(KEY.secretKey)).toBeUndefined();
});

test("a secret key with a password, or damaged, is refused", () => {
  const [comment = "", line = ""] = KEY.secretKey.split("\n");
  const bytes = Buffer.from(line, "base64");
  const changed = (at: number): string => {
    const other = Buffer.from(bytes);
    other[at] = (other[at] ?? 0) ^ 1;
    return `${comment}\n${other.toString("base64")}\n`;
  };
  expect(() => signature(MESSAGE, changed(2), "")).toThrow("it has a password");
  expect(() => signature(MESSAGE, changed(70), "")).toThrow("it is damaged");
  expect(() => signature(MESSAGE, "x\nAAAA\n", "")).toThrow("it is not a secret key of minisign");
});

needs(["minisign"], () => {
  test("minisign verifies our signatures, and its own signatures and keys are read", () => {
    const run = (...args: readonly string[]): void => {
      execFileSync("minisign", args, { cwd: BASE, stdio: "ignore" });
    };
    const [file, key, secret] = ["SHA256SUMS", "key.pub", "key.sec"];
    run("-G", "-W", "-p", key, "-s", secret);
    const text = (name: string): string => readFileSync(join(BASE, name), "utf8");
    writeFileSync(join(BASE, file), MESSAGE);
    writeFileSync(join(BASE, `${file}.minisig`), signature(MESSAGE, text(secret), "svc 1.2.3"));
    run("-V", "-p", key, "-m", file);
    writeFileSync(join(BASE, file), "other");
    expect(() => run("-V", "-p", key, "-m", file)).toThrow("Command failed");

    writeFileSync(join(BASE, file), MESSAGE);
    for (const form of [[], ["-l"]]) {
      run("-S", ...form, "-s", secret, "-m", file, "-t", "of minisign");
      expect(verifySignature(MESSAGE, text(`${file}.minisig`), publicKey(text(key)))).toBe(
        "of minisign",
      );
    }
  });
});
