import { beforeAll, expect, test } from "vitest";

import { components, type Component } from "../../../scripts/supply-chain/components.ts";
import { isAllowed } from "../../../scripts/supply-chain/licenses.ts";
import { noticesText } from "../../../scripts/supply-chain/notices.ts";
import { sbom } from "../../../scripts/supply-chain/sbom.ts";
import { GRAMMAR_FILES } from "../../../src/base/grammar-files.ts";

let all: readonly Component[] = [];
beforeAll(async () => {
  all = await components();
});

test("everything in the executable may be passed on", () => {
  expect(all.filter(({ license }) => !isAllowed(license))).toEqual([]);
});

test.each([
  ["MIT", true],
  ["GPL-3.0-only", false],
  ["AGPL-3.0-or-later", false],
  ["LGPL-2.1-only", false],
  ["MIT OR GPL-2.0-only", true],
  ["MIT AND GPL-2.0-only", false],
  ["(MIT OR Apache-2.0) AND Unicode-3.0", true],
  ["(MIT OR GPL-2.0-only) AND GPL-3.0-only", false],
  ["Apache-2.0 WITH LLVM-exception", true],
  ["AFL-2.1 OR GPL-2.0-or-later", true],
  ["SEE LICENSE IN LICENSE.txt", false],
  ["UNLICENSED", false],
  ["", false],
])("a licence %s: %s", (licence, expected) => {
  expect(isAllowed(licence)).toBe(expected);
});

test("each has its licence text, or that of its package", () => {
  const bare = all.filter(({ text }) => text === "");
  expect(bare.filter(({ kind }) => kind !== "crate")).toEqual([]);
  const addon = all.find(({ kind }) => kind === "addon")?.text ?? "";
  expect(bare.filter(({ name }) => !addon.includes(name))).toEqual([]);
});

test("packages of the bundle, every grammar, Node and the table are among them", () => {
  const names = all.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "undici",
      "valibot",
      "conf",
      "re2js",
      "pdfjs-dist",
      "web-tree-sitter",
      "Node.js",
      "svc-embed-v1",
    ]),
  );
  // Tools of the project are not redistributed.
  expect(names).not.toContain("vitest");
  expect(names).not.toContain("esbuild");
  const grammars = all.filter(({ kind }) => kind === "grammar").map(({ name }) => name);
  const missing = Object.values(GRAMMAR_FILES).filter(
    (file) => !grammars.some((name) => file.startsWith(`${name}/`)),
  );
  expect(missing).toEqual([]);
  const notices = noticesText(all);
  for (const text of [
    "OpenSSL",
    "ICU",
    "zlib",
    "V8",
    "Copyright (c) 2020 Joran Honig",
    "5,028 packages",
  ]) {
    expect(notices).toContain(text);
  }
});

test("the bill of materials names each once, with version, licence, address and hash", () => {
  const bill = sbom(all, { version: "1.2.3", sha256: "0".repeat(64), platform: "linux-x64" });
  const refs = all.map(({ purl }) => purl);
  expect(new Set(refs).size).toBe(refs.length);
  expect(bill).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    metadata: { component: { name: "svc", version: "1.2.3" } },
  });
  const { components: listed, dependencies } = bill;
  expect(listed).toHaveLength(all.length);
  for (const one of listed) {
    expect(one).toMatchObject({
      type: expect.stringMatching(/^(?:library|platform|machine-learning-model)$/),
      name: expect.stringMatching(/./),
      version: expect.stringMatching(/\d/),
      purl: expect.stringMatching(/^pkg:(?:npm|github|cargo|generic)\/\S+$/),
    });
  }
  // Crates are inside the addon, and Node's hash is not that of a download.
  const unhashed = all.filter(
    ({ hash, kind }) => hash === undefined && kind !== "crate" && kind !== "runtime",
  );
  expect(unhashed).toEqual([]);
  expect(new Set(dependencies.flatMap(({ dependsOn }) => dependsOn))).toEqual(new Set(refs));
});
