// Links with a commit on the page of `svc serve`, in a real browser.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { needs } from "../helpers/needs.ts";
import { findings } from "./browser.ts";
import { LONG_TIMEOUT, searchPage } from "./search-page-user.ts";

const FILE = "src/tide.ts";
const OLD = [
  "/** Turns the tide. */",
  "export function turnTide(height: number): number {",
  "  return height * 2;",
  "}",
  "",
].join("\n");

needs(["chromium"], () => {
  const { served, enter } = searchPage({ [FILE]: OLD, "src/moon.ts": "export const moon = 1;\n" });

  function git(...args: readonly string[]): string {
    const settings = ["user.name=me", "user.email=me@example.org", "maintenance.auto=false"];
    const options = settings.flatMap((one) => ["-c", one]);
    const cwd = served().place.root;
    return execFileSync("git", [...options, ...args], { cwd, encoding: "utf8" }).trim();
  }

  test("a link with a commit shows the file of that commit, and leads to the present one", async () => {
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
    const first = git("rev-parse", "HEAD");
    writeFileSync(join(served().place.root, FILE), `// One more line.\n${OLD}`);
    git("commit", "-q", "-a", "-m", "second");
    const { page, violations, faults } = await enter(`#file=${FILE}:2&commit=${first}`);
    const text = async (): Promise<string> =>
      (await page.locator("#code .line .text").allTextContents()).join("").trimEnd();
    await page.getByText(`as it was in commit ${first.slice(0, 8)}`).waitFor();
    expect(await text()).toBe(OLD.trimEnd());
    await page.locator("#code .keyword").first().waitFor();
    expect(await page.locator(".marked .number").textContent()).toBe("2");
    await expect.poll(() => page.locator("#outline").innerText()).toContain("turnTide");
    expect(await page.getByRole("link", { name: "Editor" }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    // Names refer to the current file, so none is explained.
    await page
      .locator("#code .function", { hasText: /^turnTide$/ })
      .first()
      .click();
    expect(await page.locator("#name-panel").isVisible()).toBe(false);
    // Lines of the same commit.
    await page.getByRole("link", { name: "Line 3", exact: true }).click();
    await expect.poll(() => page.url(), LONG_TIMEOUT).toContain(`${FILE}:3&commit=${first}`);
    expect(await text()).toBe(OLD.trimEnd());

    await page.getByRole("link", { name: "Open the current file" }).click();
    await expect.poll(text, LONG_TIMEOUT).toContain("// One more line.");
    expect(page.url()).not.toContain("commit=");
    expect(await page.getByText("as it was in commit").count()).toBe(0);

    // A file that has not changed since then is the current one.
    await page.evaluate(`location.hash = "#file=src/moon.ts&commit=${first}"`);
    await expect.poll(text, LONG_TIMEOUT).toBe("export const moon = 1;");
    await page.getByRole("link", { name: "Editor" }).waitFor();
    expect(await page.locator("#file-notices .notice").count()).toBe(0);
    await page.evaluate(`location.hash = "#file=src/moon.ts&commit=0123456789abcdef"`);
    await page.getByText("made at commit 01234567").waitFor();
    expect([await violations(), faults]).toEqual([[], []]);
  }, 120_000);
});
