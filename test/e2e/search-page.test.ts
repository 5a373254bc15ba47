// The search page of `svc serve` in a real browser, over the index of a part of this repository.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { findings } from "./browser.ts";
import {
  ask,
  focused,
  isWiderThanScreen,
  ownFiles,
  LONG_TIMEOUT,
  query,
  results,
  ROOT,
  searchPage,
  signIn,
  status,
} from "./search-page-user.ts";
import { outputHere } from "../spec/commands-here.ts";
import { needs } from "../helpers/needs.ts";

needs(["chromium"], () => {
  const { served, open, enter } = searchPage(ownFiles("src/credentials", "docs/decisions"));

  test("results have place, name, kind, language, score, and lines with the words of the question", async () => {
    const { page } = await enter();
    await ask(page, "where are tokens revoked");
    const first = results(page).first();
    expect(await first.locator("h2").textContent()).toMatch(
      /^src\/credentials\/revoke\.ts:\d+-\d+$/,
    );
    expect(await first.locator(".facts").innerText()).toMatch(
      /^revokeCredential\s+code\s+typescript\s+score \d+\.\d$/,
    );
    const marks = await first.locator("mark").allTextContents();
    expect(marks).toContain("revoked");
    expect(marks).toContain("Token");
    expect(await first.locator(".code .keyword").count()).toBeGreaterThan(0);
    const source = readFileSync(join(ROOT, "src/credentials/revoke.ts"), "utf8").split("\n");
    const lines = await first
      .locator(".line")
      .evaluateAll((all) =>
        all.map((line) => [line.children[0]?.textContent, line.children[1]?.textContent]),
      );
    expect(lines.length).toBeGreaterThan(5);
    for (const [number, text] of lines) expect(text).toBe(`${source[Number(number) - 1]}\n`);
    expect(await page.title()).toBe("where are tokens revoked · svc search");
    expect(await findings(page)).toEqual([]);
  });

  test("only the last typed query is answered, and earlier requests are aborted", async () => {
    const { page } = await enter();
    const aborted: string[] = [];
    page.on("requestfailed", (request) => void aborted.push(request.postData() ?? ""));
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/v1/search", async (route) => {
      if (route.request().postData()?.includes("audit log") === true) await held;
      await route.continue().catch(() => {});
    });
    const requested = page.waitForRequest(
      (request) => request.postData()?.includes("audit log") === true,
    );
    await query(page).fill("audit log");
    await requested;
    await ask(page, "keychain");
    release();
    await expect
      .poll(() => aborted, LONG_TIMEOUT)
      .toEqual([expect.stringContaining('"audit log"')]);
    expect(await page.locator("#results").getAttribute("aria-busy")).toBe("false");
    expect(await page.locator("mark").first().textContent()).toMatch(/keychain/i);
  });

  test("filters narrow, are part of the address, and can be cleared", async () => {
    const { page } = await enter();
    await ask(page, "credential store");
    await page.getByRole("checkbox", { name: "docs" }).check();
    await expect.poll(() => new Set(page.url().split("&")), LONG_TIMEOUT).toContain("kind=docs");
    const kinds = async (): Promise<string[]> => [
      ...new Set(await page.locator(".facts .fact:nth-of-type(1)").allTextContents()),
    ];
    await expect.poll(kinds, LONG_TIMEOUT).toEqual(["docs"]);
    await page.getByRole("checkbox", { name: "docs" }).uncheck();
    await page.getByLabel("Path").fill("src/credentials/**");
    const paths = () => page.locator("h2[id] .folder").allTextContents();
    await expect
      .poll(async () => [...new Set(await paths())], LONG_TIMEOUT)
      .toEqual(["src/credentials/"]);
    await page.getByLabel("Path").fill("nowhere/**");
    await status(page, /^Nothing found/);
    expect(await findings(page)).toEqual([]);
    await page.getByLabel("Language").fill("klingon");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText('"klingon" is unknown').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.locator("#problem").getByRole("button", { name: "Clear filters" }).click();
    await status(page, /passage/);
    expect(new URL(page.url()).hash).toBe("#q=credential+store");
  });

  test("a key for several namespaces gets a choice of them, which is part of the address", async () => {
    const { place, server } = served();
    await outputHere(
      place,
      "index",
      join(place.root, "docs/decisions"),
      "--namespace",
      "decisions",
    );
    const words = ["--name", "portal", "--namespace", "project,decisions"];
    const key = (await outputHere(place, "auth", "keys", "create", ...words)).trim();
    const { page } = await open(server.url);
    await signIn(page, key);
    await ask(page, "credential store");
    await status(page, / · decisions · /);
    const choice = page.getByLabel("Namespace");
    expect(await choice.locator("option").allTextContents()).toEqual(["decisions", "project"]);
    await choice.selectOption("project");
    await status(page, / · project · /);
    expect(page.url()).toContain("&namespace=project");
    expect(await findings(page)).toEqual([]);

    const { page: shared } = await open(page.url());
    await signIn(shared, key);
    await status(shared, / · project · /);
    // A key for one namespace has no choice.
    expect(await (await enter()).page.locator("#namespace-field").isVisible()).toBe(false);
  });

  test("more results are added after the present ones", async () => {
    const { page } = await enter("#q=credential");
    await status(page, /^First \d+ passages/);
    const before = await results(page).count();
    await page.getByRole("button", { name: "More results" }).click();
    await expect.poll(() => results(page).count(), LONG_TIMEOUT).toBeGreaterThan(before);
    expect(await focused(page)).toBe(
      await results(page).nth(before).getAttribute("aria-labelledby"),
    );
    await status(page, new RegExp(`${await results(page).count()} passages`));
  });

  test("everything can be done with the keyboard", async () => {
    const { page } = await enter();
    await page.keyboard.type("where are tokens revoked");
    // Slow typing shows results of the first words too.
    await expect.poll(() => page.title(), LONG_TIMEOUT).toMatch(/^where are tokens revoked · /);
    await status(page, /passage/);
    const ids = await results(page).evaluateAll((all) =>
      all.map((one) => one.getAttribute("aria-labelledby")),
    );
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe(ids[0]);
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toBe(ids[2]);
    await page.keyboard.press("k");
    await page.keyboard.press("ArrowUp");
    expect(await focused(page)).toBe(ids[0]);
    const visibleLines = results(page).first().locator(".line:visible");
    const few = await visibleLines.count();
    await page.keyboard.press("Enter");
    expect(await visibleLines.count()).toBeGreaterThan(few);
    expect(
      await page.getByRole("button", { name: "Show fewer lines" }).getAttribute("aria-expanded"),
    ).toBe("true");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toBe("number");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.url(), LONG_TIMEOUT)
      .toMatch(/&at=src\/credentials\/revoke\.ts:\d+$/);
    // The page gets its new address a moment later, and marks the line then.
    await page.locator("[aria-current=location]").waitFor();
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe(ids[0]);
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("query");
    await page.keyboard.press("?");
    expect(await query(page).inputValue()).toBe("?");
    await query(page).fill("where are tokens revoked");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel("Use single letters and signs as shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("/");
    expect(await focused(page)).not.toBe("query");
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("query");
  });

  test("Tab reaches each control once, with visible focus", async () => {
    const { page } = await enter("#q=where+are+tokens+revoked");
    await status(page, /passage/);
    await query(page).focus();
    const stops: string[] = [];
    for (let stop = 0; stop < 14; stop += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await page.keyboard.press("Tab");
      // oxlint-disable-next-line no-await-in-loop
      const found: string = await page.evaluate(`(() => {
      const at = document.activeElement;
      const shown = at.matches("[name=kind]") ? at.nextElementSibling : at;
      const { outlineStyle, outlineWidth } = getComputedStyle(shown);
      const isVisible = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
      return (at.value || at.id || at.className) + (isVisible ? "" : " without focus ring");
    })()`);
      stops.push(found);
    }
    expect(stops.slice(0, 8)).toEqual([
      "code",
      "docs",
      "tests",
      "config",
      "language",
      "path",
      "help-button",
      "sign-out",
    ]);
    const controls = await results(page).evaluateAll((all) =>
      all.flatMap((one) => ["copy", "number", ...(one.querySelector(".expand") ? ["expand"] : [])]),
    );
    expect(stops.slice(8)).toEqual(controls.slice(0, 6));
  });

  test("a line can be shared: its address marks it and scrolls to it", async () => {
    const options = { permissions: ["clipboard-read", "clipboard-write"] };
    const { page } = await enter("#q=where+are+tokens+revoked", options);
    await status(page, /passage/);
    const result = results(page).nth(1);
    const link = result.locator(".number:visible").last();
    const href = (await link.getAttribute("href")) ?? "";
    const line = /:(\d+)$/.exec(href)?.[1];
    await result.getByRole("button", { name: /^Copy src/ }).click();
    await page
      .getByRole("button", { name: "Copied" })
      .or(result.getByText("Copied"))
      .first()
      .waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^src\/\S+\.ts:\d+$/);

    const other = await enter(href, { viewport: { width: 800, height: 300 } });
    const marked = other.page.locator(".marked");
    await marked.waitFor();
    expect(await marked.locator(".number").textContent()).toBe(line);
    expect(await marked.locator(".number").getAttribute("aria-current")).toBe("location");
    expect(
      await other.page.evaluate(`(() => {
    const { top, bottom } = document.querySelector(".marked").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`),
    ).toBe(true);
    const gone = await enter("#q=tokens&at=src/gone.ts:3");
    await gone.page.getByText("src/gone.ts:3 is not among these results").waitFor();
  });

  test("Back leads to the previous query", async () => {
    const { page } = await enter();
    await ask(page, "keychain");
    await page.keyboard.press("Enter");
    await ask(page, "passphrase");
    await page.goBack();
    await expect.poll(() => query(page).inputValue(), LONG_TIMEOUT).toBe("keychain");
    await expect.poll(() => page.title(), LONG_TIMEOUT).toBe("keychain · svc search");
  });

  test("a corrected word is reported", async () => {
    const { page } = await enter();
    await ask(page, "kyechain");
    await page.getByText("No match for “kyechain”; searched for “keychain”.").waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("a weak answer is marked", async () => {
    const { page } = await enter();
    await query(page).fill("qq");
    await status(page, /at least three/);
    await ask(page, "zzzqqq xxkkvv");
    await page.getByText("No good match").waitFor();
    expect(await findings(page)).toEqual([]);
    // An index under construction is finished before a browser can load the page: the real answer is marked as one.
    await page.route("**/v1/search", async (route) => {
      const response = await route.fetch();
      const building = { stage: "words", done: 12, total: 340 };
      await route.fulfill({ response, json: { ...(await response.json()), building } });
    });
    await ask(page, "audit log");
    await page.getByText("still being built (12 of 340 files read)").waitFor();
    await page.unroute("**/v1/search");
    await page.getByRole("button", { name: "Search again" }).click();
    await page.getByText("still being built").waitFor({ state: "hidden" });
    expect(await results(page).count()).toBeGreaterThan(0);
  });

  test("dark and light follow the system, and both have contrast", async () => {
    const { page } = await enter("#q=where+are+tokens+revoked");
    await status(page, /passage/);
    await page.locator(".number:visible").nth(2).click();
    const colours = new Set<unknown>();
    for (const colorScheme of ["light", "dark"] as const) {
      // oxlint-disable-next-line no-await-in-loop -- the page is one
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // oxlint-disable-next-line no-await-in-loop
      expect(await findings(page)).toEqual([]);
      // oxlint-disable-next-line no-await-in-loop
      colours.add(
        await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"),
      );
    }
    expect(colours.size).toBe(2);
    const animation = await page.evaluate(
      `getComputedStyle(document.getElementById("progress")).animationName`,
    );
    expect(animation).toBe("none");
  });

  test("on the screen of a phone only code scrolls sideways", async () => {
    const options = { viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true };
    const { page } = await open(served().server.url, options);
    expect(await isWiderThanScreen(page)).toBe(false);
    await signIn(page, served().key);
    await query(page).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await ask(page, "where are tokens revoked");
    expect(await isWiderThanScreen(page)).toBe(false);
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await isWiderThanScreen(page)).toBe(false);
    const code = page.locator(".code").first();
    expect(await code.evaluate((block) => block.scrollWidth > block.clientWidth)).toBe(true);
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Keys" }).tap();
    expect(await isWiderThanScreen(page)).toBe(false);
  });
});
