// The page on installing names the files of a release as the channels name them, and options that there are.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readProduct } from "../../scripts/release/channels/product.ts";
import { packageName } from "../../scripts/release/channels/npm-platform.ts";
import { bundleFile } from "../../scripts/release/channels/mcpb.ts";
import { debianFile } from "../../scripts/release/channels/debian.ts";
import { imageFile } from "../../scripts/release/channels/oci.ts";
import { IMAGE_DATA, IMAGE_USER, IMAGE_WORK } from "../../scripts/release/channels/oci-base.ts";
import { TARGETS } from "../../scripts/release/targets.ts";
import { command } from "../../src/cli/commands/upgrade.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = read("docs/install.md");
const PRODUCT = { ...readProduct(), version: "VERSION" };

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

const [LINUX] = TARGETS;
if (LINUX?.id !== "linux-x64") throw new Error("the examples of the page are for linux-x64");

test.each([
  ["npm", `svc-VERSION.tgz ./${packageName(LINUX)}-VERSION.tgz`],
  ["Debian", debianFile(LINUX, PRODUCT)],
  ["the container", imageFile(LINUX, PRODUCT)],
  ["the folders of the container", `:${IMAGE_WORK}:ro" --volume svc:${IMAGE_DATA} svc:VERSION`],
  ["the user of the container", `user ${IMAGE_USER},`],
  ["the bundle for Node", bundleFile({ npmPackage: "" }, PRODUCT)],
  [
    "the bundle of a platform",
    bundleFile({ target: LINUX, executable: "", notices: "" }, PRODUCT).replace(
      LINUX.id,
      "PLATFORM",
    ),
  ],
])("%s: the page says %s", (_, text) => {
  expect(PAGE.replaceAll(/\s+/g, " ")).toContain(text);
});

test("every option of svc upgrade and of the installers that the page shows exists", () => {
  const flags = new Set(
    Object.keys(command.flags).map(
      (name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    ),
  );
  const upgrade = PAGE.slice(PAGE.indexOf("## Upgrade"), PAGE.indexOf("## npm"));
  for (const [flag] of upgrade.matchAll(/--[a-z][a-z-]+/g)) expect(flags).toContain(flag);
  expect(flags.size).toBeGreaterThan(3);
  const installer = read("scripts/release/install.sh");
  for (const [flag] of PAGE.slice(0, PAGE.indexOf("## Upgrade")).matchAll(/ (--[a-z][a-z-]+)/g))
    expect(installer).toContain(flag.trim());
});
