import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { copyTexts } from "../../../src/sources/text/copy-texts.ts";
import { PostgresTexts } from "../../../src/sources/text/postgres-texts.ts";
import { verifyTexts } from "../../../src/sources/text/verify-texts.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  test("the texts of one namespace are copied in several batches, and a second time nothing changes", async () => {
    const [from, to] = [server.freshDatabase(), server.freshDatabase()];
    const texts = new PostgresTexts(from, async () => undefined);
    const [archive, other] = [texts.archiveOf("zoo"), texts.archiveOf("farm")];
    const hashes = Array.from({ length: 450 }, (_, at) => {
      const bytes = Buffer.from(`text ${at}\n`);
      const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
      archive.keep(hash, bytes);
      return hash;
    });
    other.keep(hashes[0] ?? "", Buffer.from("text 0\n"));
    await archive.flush();
    await other.flush();
    const intact = { intact: 450, missing: 0, damaged: 0 };
    for (let round = 0; round < 2; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await copyTexts(from, to, "zoo");
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await verifyTexts(to, "zoo", new Set(hashes))).toEqual(intact);
    }
    expect(await to.query("SELECT DISTINCT namespace FROM file_content")).toEqual([
      { namespace: "zoo" },
    ]);
  });
});
