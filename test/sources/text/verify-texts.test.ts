import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { encodeDocument } from "../../../src/base/documents/encode-document.ts";
import { PostgresTexts } from "../../../src/sources/text/postgres-texts.ts";
import { verifyTexts } from "../../../src/sources/text/verify-texts.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  test("each text is compared with its hash, in several batches", async () => {
    const database = server.open(server.freshUrl());
    const archive = new PostgresTexts(database, async () => undefined).archiveOf("zoo");
    const hashes = Array.from({ length: 450 }, (_, at) => {
      const bytes = Buffer.from(`text ${at}\n`);
      const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
      archive.keep(hash, bytes);
      return hash;
    });
    await archive.flush();
    const verify = () => verifyTexts(database, "zoo", new Set([...hashes, "0".repeat(32)]));
    expect(await verify()).toEqual({ intact: 450, missing: 1, damaged: 0 });
    const swapped =
      "UPDATE file_content SET body = (SELECT body FROM file_content WHERE hash = $2)";
    await database.query(`${swapped} WHERE hash = $1`, [hashes[3] ?? "", hashes[4] ?? ""]);
    expect(await verify()).toEqual({ intact: 449, missing: 1, damaged: 1 });
    const text = encodeDocument({
      text: "Tides\n",
      unit: "page",
      places: [],
      headings: [],
      code: [],
    });
    archive.keep("d".repeat(32), text);
    archive.keep("e".repeat(32), text.subarray(0, -1));
    await archive.flush();
    const documents = new Set(["d".repeat(32), "e".repeat(32)]);
    expect(await verifyTexts(database, "zoo", documents)).toMatchObject({ intact: 1, damaged: 1 });
    expect(await verifyTexts(database, "farm", new Set(hashes))).toMatchObject({ missing: 450 });
  });
});
