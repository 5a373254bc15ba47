// Files, folders and names on the page of `svc serve`, in a real browser.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { findings } from "./browser.ts";
import { focused, isWiderThanScreen, LONG_TIMEOUT, query, searchPage } from "./search-page-user.ts";
import { needs } from "../helpers/needs.ts";

const HOSTILE_FOLDER = `"><img src=x onerror=globalThis.pwned=1>`;
const HOSTILE_NAME = `\u202egpj';alert(1).ts`;
const HOSTILE_CODE = [
  "/** <img src=x onerror=globalThis.pwned=2> */",
  "export function ebb\u200b(a: '<script>globalThis.pwned=3</script>'): void {}",
  "ebb('</span></div><svg onload=globalThis.pwned=4>');",
  "",
].join("\n");
const HOSTILE_MARKDOWN = [
  "# Tide <img src=x onerror=globalThis.pwned=5>",
  "",
  "<script>globalThis.pwned=6</script>",
  "",
  "[a](javascript:globalThis.pwned=7) [b](data:text/html,pwned) [c](vbscript:x) [up](../../../etc/passwd)",
  "[d](https://example.com/?x=1) [e](other.md#part) ![picture](https://example.com/spy.png)",
  "<a href='javascript:globalThis.pwned=8' onclick='globalThis.pwned=9'>link</a> &lt;b&gt; &#60;",
  "",
  "| a | b |",
  "| - | - |",
  "| <svg onload=globalThis.pwned=10> | `<iframe>` |",
  "",
  "- [x] done",
  "",
  "```html",
  "<script>globalThis.pwned=11</script>",
  "```",
  "",
  "## Part two",
  "",
].join("\n");
const TIDE = [
  "/**",
  " * Turns the tide.",
  " */",
  "export function turnTide(height: number): number {",
  "  const twice = 2; // a day",
  "  return height * twice;",
  "}",
  "",
].join("\n");
const MOON = [
  'import { turnTide } from "./tide.ts";',
  "",
  "export class Moon {",
  "  rise(): number {",
  "    return turnTide(3);",
  "  }",
  "}",
  "",
].join("\n");
const LONG_FILE = Array.from(
  { length: 2000 },
  (_, at) => `/** Turns ${at}. */\nexport function turn${at}(a: number) {\n  return a;\n}\n`,
).join("\n");

async function title(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.title(), LONG_TIMEOUT).toContain(text);
}

async function isColored(page: Page): Promise<void> {
  await page.locator("#code .keyword").first().waitFor();
}

/** Opens another address of the page. */
async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

needs(["chromium"], () => {
  const { served, enter } = searchPage({
    "src/tide/tide.ts": TIDE,
    "src/tide/moon.ts": MOON,
    [`${HOSTILE_FOLDER}/${HOSTILE_NAME}`]: HOSTILE_CODE,
    "docs/hostile.md": HOSTILE_MARKDOWN,
    "docs/other.md": "# Other\n\nText.\n",
    "docs/README.md": "# Documents\n\nSee [other](other.md).\n",
    "src/long.ts": LONG_FILE,
    "picture.bin": "\0\u0001",
  });
  const FILE = "src/tide/tide.ts";
  const options = { permissions: ["clipboard-read", "clipboard-write"] };

  test("a file has its text, colors, outline, folders and lines that link", async () => {
    const { page, violations, faults } = await enter(`#file=${FILE}:3`, options);
    await isColored(page);
    const source = TIDE.trimEnd().split("\n");
    const lines = await page.locator("#code .line .text").allTextContents();
    expect(lines.join("").trimEnd().split("\n")).toEqual(source);
    expect(await page.locator(".marked .number").textContent()).toBe("3");
    expect(await page.locator("#crumbs").innerText()).toBe("project\nsrc\ntide\ntide.ts");
    await expect.poll(() => page.locator("#outline").innerText()).toContain("turnTide");
    const current = page.getByRole("treeitem", { name: "tide.ts" });
    await current.waitFor();
    expect(await current.getAttribute("aria-current")).toBe("page");
    expect(await findings(page)).toEqual([]);

    // A range: the second line with Shift.
    await page.getByRole("link", { name: "Line 5", exact: true }).click();
    await page.getByRole("link", { name: "Line 7", exact: true }).click({ modifiers: ["Shift"] });
    await expect.poll(() => page.url()).toMatch(/#file=src\/tide\/tide\.ts:5-7$/);
    await expect.poll(() => page.locator(".marked").count()).toBe(3);
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await expect
      .poll(() => page.evaluate("navigator.clipboard.readText()"))
      .toBe(source.slice(4, 7).join("\n"));
    await page.keyboard.press("y");
    await expect
      .poll(() => page.evaluate("navigator.clipboard.readText()"))
      .toBe(`${served().server.url}/#file=${FILE}:5-7&namespace=project`);
    const editor = page.getByRole("link", { name: "Editor" });
    const root = served().place.root.split("/").map(encodeURIComponent).join("/");
    expect(await editor.getAttribute("href")).toBe(`vscode://file${root}/${FILE}:5`);
    await page.goBack();
    await expect.poll(() => page.locator(".marked").count()).toBe(1);

    const popup = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Raw" }).click();
    const raw = await popup;
    expect((await raw.locator("pre").textContent())?.trimEnd()).toBe(source.join("\n"));

    await page.locator("#crumbs").getByRole("link", { name: "src" }).click();
    await page.locator(".folder-table").getByRole("link", { name: "long.ts" }).click();
    await title(page, "src/long.ts");
    await go(page, "#file=src/gone.ts");
    await page.getByText("Try again").waitFor();
    expect(await findings(page)).toEqual([]);
    await go(page, "#file=picture.bin");
    await page.getByText("This is a binary file").waitFor();
    await go(page, "#file=src/long.ts:90000");
    await page.getByText("is after its end").waitFor();
    await go(page, `#file=${FILE}&commit=0123456789abcdef`);
    await page.getByText("made at commit 01234567").waitFor();
    expect([await violations(), faults]).toEqual([[], []]);
  });

  test("a name has its definition, references and callers, and a card under the pointer", async () => {
    const { page, faults } = await enter("#file=src/tide/moon.ts");
    await isColored(page);
    const name = page.locator("#code .function", { hasText: /^turnTide$/ }).first();
    await name.hover();
    const card = page.getByRole("tooltip");
    await card.waitFor();
    expect(await card.innerText()).toContain("turnTide(height: number): number");
    expect(await findings(page)).toEqual([]);
    await name.click();
    const panel = page.locator("#name-panel");
    await panel.getByText(/^\d+ exact, \d+ by name/).waitFor();
    expect(await panel.locator("h2").textContent()).toBe("turnTide");
    expect(await panel.locator(".definition .place").innerText()).toMatch(
      /^function src\/tide\/tide\.ts:1-7$/,
    );
    expect(await findings(page)).toEqual([]);
    await panel.getByRole("button", { name: "Callers" }).click();
    await panel.getByRole("button", { name: "Callers", pressed: true }).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    expect(await focused(page)).toBe("code");

    // Without a mouse: the names in the line.
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toBe("number");
    await go(page, "#file=src/long.ts:7");
    await title(page, "src/long.ts:7");
    await isColored(page);
    await page.locator("#code").focus();
    await page.keyboard.press("i");
    await panel.getByRole("button", { name: "turn1", exact: true }).press("Enter");
    await panel
      .getByText("0 exact, 0 by name")
      .or(panel.getByText("No references were found."))
      .waitFor();
    await panel.getByRole("link", { name: "Find this text everywhere" }).click();
    await expect.poll(() => query(page).inputValue()).toBe('"turn1"');
    await page.goBack();
    await page.locator("#code").waitFor();
    expect(faults).toEqual([]);
  });

  test("a folder or a name that could not be read can be tried again", async () => {
    const { page } = await enter("#file=src/tide/moon.ts");
    await isColored(page);
    await page.getByRole("treeitem", { name: "moon.ts" }).waitFor();
    await page.route(/\/v1\/(?:folder|name)$/, (route) => route.abort());
    const problem = page.locator("#file-notices .problem");
    const documents = page.getByRole("treeitem", { name: "docs" });
    await documents.click();
    await problem.getByText("The server cannot be reached").waitFor();
    expect(await documents.getAttribute("aria-expanded")).toBe("false");
    expect(await findings(page)).toEqual([]);
    const name = page.locator("#code .function", { hasText: /^turnTide$/ }).first();
    await name.click();
    await problem.getByRole("button", { name: "Dismiss" }).click();
    expect(await problem.count()).toBe(0);

    await page.unroute(/\/v1\/(?:folder|name)$/);
    await documents.click();
    await page.getByRole("treeitem", { name: "hostile.md" }).waitFor();
    await name.click();
    await page
      .locator("#name-panel")
      .getByText(/^\d+ exact, \d+ by name/)
      .waitFor();
  });

  test("tree, outline and folders work with the keyboard", async () => {
    const { page } = await enter(`#file=${FILE}`);
    await isColored(page);
    await page.getByRole("treeitem", { name: "tide.ts" }).waitFor();
    await page.locator("#code").focus();
    await page.keyboard.press("t");
    const row = () => page.evaluate("document.activeElement.textContent");
    expect(await row()).toBe("tide.ts");
    await page.keyboard.press("ArrowLeft");
    expect(await row()).toBe("tide");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await row()).toBe("src");
    await page.keyboard.press("ArrowLeft");
    expect(await page.getByRole("treeitem", { name: "tide.ts" }).isVisible()).toBe(false);
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    expect(await findings(page)).toEqual([]);
    await page.locator("#code").focus();
    await page.keyboard.press("o");
    expect(await page.evaluate("document.activeElement.closest('#outline') !== null")).toBe(true);
    await page.locator("#code").focus();
    await page.keyboard.press("u");
    await page.locator(".folder-table").waitFor();
    expect(page.url()).toMatch(/#file=src\/tide\/$/);
    await page.keyboard.press("Escape");
    await page.locator("#start").waitFor();
  });

  test("Markdown is a document, and hostile text and names have no effect", async () => {
    const { page, violations, faults, requests } = await enter("#file=docs/");
    await page.getByRole("heading", { name: "Documents" }).waitFor();
    await page.locator("#document").getByRole("link", { name: "other", exact: true }).click();
    await page.getByRole("heading", { name: "Other" }).waitFor();
    await go(page, "#file=docs/hostile.md");
    const shown = page.locator("#document");
    await shown.getByText("Part two").waitFor();
    const links = await shown
      .locator("a")
      .evaluateAll((all) => all.map((one) => `${one.textContent} ${one.getAttribute("href")}`));
    expect(links).toEqual(["d https://example.com/?x=1", "e #file=docs/other.md"]);
    expect(await shown.locator("img, script, iframe, svg, object, [onclick]").count()).toBe(0);
    expect(await shown.locator("table code").textContent()).toBe("<iframe>");
    expect(await shown.getByText("<b> <").count()).toBe(1);
    expect(await shown.locator("pre").textContent()).toContain(
      "<script>globalThis.pwned=11</script>",
    );
    expect(await findings(page)).toEqual([]);
    await page.getByRole("link", { name: "Part two" }).click();
    await page.locator(".marked-block", { hasText: "Part two" }).waitFor();
    await page.getByRole("link", { name: "Source" }).click();
    await page.locator("#code .marked", { hasText: "## Part two" }).waitFor();

    await go(page, `#file=${encodeURIComponent(HOSTILE_FOLDER)}/`);
    await page.locator(".folder-table").getByRole("link").click();
    await isColored(page);
    expect(await page.locator("#crumbs").textContent()).toContain("⟨U+202E⟩gpj';alert(1).ts");
    await page.locator("#code .function", { hasText: "ebb" }).first().click();
    await page.locator("#name-panel h2").waitFor();
    expect(await page.locator("#code").textContent()).toContain("ebb⟨U+200B⟩(a: '<script>");
    expect(await page.locator("main img, main script, main iframe, main svg").count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate("globalThis.pwned")).toBeUndefined();
    expect(requests.filter((url) => !url.startsWith(`${served().server.url}/`))).toEqual([]);
    expect([await violations(), faults]).toEqual([[], []]);
  });

  test("a file of 10,000 lines opens at any line, and only what is near has elements", async () => {
    const { page } = await enter();
    await go(page, "#file=src/long.ts:9000");
    await page.locator(".marked").waitFor();
    expect(await page.locator(".marked .number").textContent()).toBe("9000");
    expect(
      await page.locator("#code").evaluate((code) => code.textContent?.includes("turn1999")),
    ).toBe(true);
    const rows = await page.locator("#code .line").count();
    expect(rows).toBeGreaterThan(99);
    expect(rows).toBeLessThan(1500);
    const box = await page.locator(".marked").boundingBox();
    expect(box?.y).toBeGreaterThan(60);
    expect(box?.y).toBeLessThan(800);
    await page.emulateMedia({ media: "print" });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator("#code .line").count()).toBe(LONG_FILE.split("\n").length - 1);
    expect(await page.locator(".bar").isVisible()).toBe(false);
  });

  test.each([
    ["phone", { width: 360, height: 700 }],
    ["tablet", { width: 820, height: 1100 }],
    ["desktop", { width: 1440, height: 900 }],
  ])("on a %s every view fits, in light and dark", async (size, viewport) => {
    const isTouch = size === "phone";
    const { page } = await enter(`#file=${FILE}:5`, {
      viewport,
      hasTouch: isTouch,
      isMobile: isTouch,
    });
    await isColored(page);
    const check = async (): Promise<void> => {
      for (const colorScheme of ["light", "dark"] as const) {
        // oxlint-disable-next-line no-await-in-loop -- the page is one
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        // oxlint-disable-next-line no-await-in-loop
        expect([size, colorScheme, await findings(page), await isWiderThanScreen(page)]).toEqual([
          size,
          colorScheme,
          [],
          false,
        ]);
      }
    };
    await check();
    const isSmall = size !== "desktop";
    if (isSmall) await page.getByRole("button", { name: "Outline" }).click();
    await page.locator("#outline a").first().waitFor();
    await check();
    await page.locator("#outline").getByRole("link", { name: "turnTide" }).click();
    // On a small screen the outline covers the file, and closes to reveal it.
    await expect.poll(() => page.locator("#outline").isVisible()).toBe(!isSmall);
    await page
      .locator("#code .function", { hasText: /^turnTide$/ })
      .first()
      .click();
    await page
      .locator("#name-panel")
      .getByText(/exact, /)
      .waitFor();
    await check();
    await page.locator("#name-panel").getByRole("button", { name: "Close" }).click();
    if (isTouch) {
      await page.getByRole("button", { name: "Files" }).tap();
      await page.getByRole("treeitem", { name: "tide.ts" }).waitFor();
      await check();
    }
    await go(page, "#file=docs/hostile.md");
    await page.locator("#document").getByText("Part two").waitFor();
    await check();
    await go(page, "#q=sym:turnTide");
    await page.locator("article").first().waitFor();
    await check();
  });
});
