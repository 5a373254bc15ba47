import { expect, test } from "vitest";

import { derivePassphraseKey } from "../../../src/credentials/keychain/data-key-passphrase.ts";
import {
  blindIndex,
  deriveKeys,
  rowAad,
  seal,
  unseal,
} from "../../../src/credentials/sealed/seal.ts";

const keys = deriveKeys(Uint8Array.from({ length: 32 }, (_, at) => at));
const AAD = rowAad("key_0011223344556677", "key");
const SEALED = "070707070707070707070707527f9b405080219e2852f6d407bb193e335ff0418a66d0";

function call(sealed: Buffer, aad = AAD, key = keys.enc): string {
  try {
    return unseal(key, sealed, aad);
  } catch {
    return "refused";
  }
}

test("the sub-keys of the data key 00..1f", () => {
  const { enc, index, mac, audit } = keys;
  expect([enc, index, mac, audit].map((key) => key.toString("hex"))).toEqual([
    "47fcc80711a8d9aff5520910f28734451beffb2a5fd8fd29d0ccdf4c724be249",
    "c0d789c0ef3a694d1b3153ca84d7a63a57c898998f9a0d1bdad5da8ec011f2e1",
    "14748f399a50a4debb99bf8daf3f5c42ddf49eb16ab2e6a52d4460eca09531ff",
    "a3c444bb0c9c14eb37123a877faf26a5cc81b0b2426a56e1f478a2a488541fd4",
  ]);
});

test("the blind index of a published key", () => {
  const digest = Buffer.from(
    "2977b267592845077f1bc688c5c05adf9f27900c1b88afafb3a04257d3d7fe31",
    "hex",
  );
  expect(blindIndex(keys.index, digest).toString("hex")).toBe("6648c7878718f06185983d6afe6c772b");
});

test("a sealed value is IV, ciphertext and tag as published, and opens again", () => {
  const sealed = seal(keys.enc, '{"v":1}', AAD, Buffer.alloc(12, 7));
  expect(sealed.toString("hex")).toBe(SEALED);
  expect(call(sealed)).toBe('{"v":1}');
});

test("the same text is sealed differently each time", () => {
  expect(seal(keys.enc, "a", AAD).equals(seal(keys.enc, "a", AAD))).toBe(false);
});

test("every flipped bit, every cut, another row, kind or key is refused", () => {
  const sealed = Buffer.from(SEALED, "hex");
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const flipped = Buffer.from(sealed);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(call(flipped)).toBe("refused");
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(call(sealed.subarray(0, length))).toBe("refused");
  }
  expect(call(sealed, rowAad("key_0011223344556678", "key"))).toBe("refused");
  expect(call(sealed, rowAad("key_0011223344556677", "token"))).toBe("refused");
  expect(call(sealed, AAD, keys.mac)).toBe("refused");
});

test("the key of a published passphrase", async () => {
  const key = await derivePassphraseKey("correct horse battery staple", {
    kdf: "scrypt",
    cost: 2 ** 17,
    blockSize: 8,
    parallelization: 1,
    salt: "00".repeat(16),
  });
  expect(key.toString("hex")).toBe(
    "399d2e9df8d1747b50cb1b1e362f15cd1489dac0938debc59717fa23abc9c7d8",
  );
});
