import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const SVC = join(ROOT, "dist/svc");

test("the executable prints the licences of all its parts", () => {
  const printed = execFileSync(SVC, ["--licenses"], { encoding: "utf8", maxBuffer: 1 << 24 });
  expect(printed).toContain("\nundici ");
  expect(printed).toContain("Node.js is licensed for use as follows:");
  expect(printed.length).toBeGreaterThan(300_000);
});

test.runIf(`${process.platform}-${process.arch}` === "linux-x64")(
  "they are those of THIRD_PARTY_NOTICES",
  () => {
    const printed = execFileSync(SVC, ["--licenses"], { encoding: "utf8", maxBuffer: 1 << 24 });
    expect(printed === readFileSync(join(ROOT, "THIRD_PARTY_NOTICES"), "utf8")).toBe(true);
  },
);

test("the bill of materials is that of this very file", () => {
  const bill: { metadata: { component: { hashes: readonly { content: string }[] } } } = JSON.parse(
    readFileSync(join(ROOT, "dist/svc.cdx.json"), "utf8"),
  );
  const sum = createHash("sha256").update(readFileSync(SVC)).digest("hex");
  expect(bill.metadata.component.hashes[0]?.content).toBe(sum);
});
