import { expect, test } from "vitest";

import { secretDigest } from "../../src/credentials/secret-digest.ts";

test("SHA-256 of the published secrets", () => {
  const digests = {
    svk_000000000000000000000000000000000sJerT:
      "236d81181f3244fe09908d6d567f7c2dfaa747a301881c131238c3265ed940e6",
    svt_000000000000000000000000000000000Byi4J:
      "f0897af08cf11c2af572396a575cc4d96ce2f270227786c9b84addf594ce435d",
    svk_0123456789ABCDEFGHIJKLMNOPQRSTUV3rg0PQ:
      "2977b267592845077f1bc688c5c05adf9f27900c1b88afafb3a04257d3d7fe31",
    svt_UVWXYZabcdefghijklmnopqrstuvwxyz1qvW7a:
      "cf9c60820e41b5c0b98820c7f303f32592303a656c74d01ff952c7ac32c9e729",
  };
  for (const [secret, digest] of Object.entries(digests)) {
    expect(secretDigest(secret)).toBe(digest);
  }
});
