import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { firstScreensPage } from "../../../scripts/generate/first-screens.ts";

const PAGE = join(import.meta.dirname, "../../../docs/first-screens.md");

test("the page has what the commands print, and nothing of this machine", async () => {
  const page = await firstScreensPage();
  expect(page).toBe(readFileSync(PAGE, "utf8"));
  expect(page).not.toContain(tmpdir());
  expect(page.match(/^\$ svc /gm)?.length).toBeGreaterThan(9);
});

test("a screen of search fits the window", async () => {
  const [, screen = ""] =
    /```console\n\$ svc search[^\n]*\n([^]*?)```/.exec(await firstScreensPage()) ?? [];
  expect(screen.split("\n").length).toBeLessThan(24);
  expect(screen).toContain("lib/revoke-token.ts:1-8  revokeToken");
});
