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

  test("results have place, name, kind, language, confidence, and lines with the words of the question", async () => {
    const { page } = await enter();
    await ask(page, "where are tokens revoked");
    const first = results(page).first();
    expect(await first.locator("h2").textContent()).toMatch(
      /^src\/credentials\/revoke\.ts:\d+-\d+$/,
    );
    expect(await first.locator(".facts").innerText()).toMatch(
      /^revokeCredential\s+code\s+typescript\s+\d+ %$/,
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

  test("filters narrow, are part of the query, and can be cleared", async () => {
    const { page } = await enter();
    await ask(page, "keychain and options");
    await page.getByRole("button", { name: /^docs \d/ }).click();
    await expect.poll(() => query(page).inputValue()).toBe("keychain and options kind:docs");
    const kinds = async (): Promise<string[]> => [
      ...new Set(await page.locator(".facts .fact:nth-of-type(1)").allTextContents()),
    ];
    await expect.poll(kinds, LONG_TIMEOUT).toEqual(["docs"]);
    expect(new URL(page.url()).hash).toBe("#q=keychain+and+options+kind:docs");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: /^docs \d/, pressed: true }).click();
    await ask(page, "keychain and options path:src/credentials/** -path:*seal* -lang:markdown");
    const paths = () => page.locator("h2[id] .path").allTextContents();
    await expect
      .poll(
        async () => (await paths()).every((path) => path.startsWith("src/credentials/")),
        LONG_TIMEOUT,
      )
      .toBe(true);
    expect((await paths()).filter((path) => path.includes("seal"))).toEqual([]);
    await query(page).fill("keychain and options path:nowhere/**");
    await status(page, /^Nothing found/);
    expect(await findings(page)).toEqual([]);
    await query(page).fill("keychain and options lang:klingon");
    await page.getByRole("alert").getByText('"klingon" is unknown').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.locator("#problem").getByRole("button", { name: "Clear filters" }).click();
    await status(page, /passage/);
    expect(new URL(page.url()).hash).toBe("#q=keychain+and+options");
  });

  test("quotes, slashes and sym: search exact text, regular expressions and definitions", async () => {
    const { page } = await enter();
    const mode = () => page.locator("#mode").textContent();
    await ask(page, '"revokeCredential("');
    expect(await mode()).toBe("exact text");
    await status(page, /^\d+ lines? in \d+ files? · project · /);
    const marks = await page.locator("mark").allTextContents();
    expect(new Set(marks)).toEqual(new Set(["revokeCredential("]));
    await ask(page, "/export (async )?function revoke\\w+/ path:src/**");
    expect(await mode()).toBe("regular expression");
    await status(page, /^\d+ lines? in/);
    const line = page.locator(".line.hit").first();
    expect(await line.locator(".text").textContent()).toMatch(/^export (?:async )?function revoke/);
    expect(await findings(page)).toEqual([]);
    await query(page).fill("/(unclosed/");
    await page.getByRole("alert").waitFor();
    await ask(page, "sym:revokeCredential");
    expect(await mode()).toBe("symbols");
    await status(page, /definition/);
    const first = results(page).first();
    expect(await first.locator("h2").textContent()).toMatch(
      /^src\/credentials\/revoke\.ts:\d+-\d+$/,
    );
    expect(await first.locator(".facts").innerText()).toContain("function");
    await ask(page, "sym:revokeCredentail");
    await page
      .getByText("No definition is named “revokeCredentail”; these names are the nearest.")
      .waitFor();
    await ask(page, '"no such text anywhere"');
    await page.getByText("Without quotes, the words are searched.").waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("names and values of filters are suggested, and taken with Tab", async () => {
    const { page } = await enter();
    const options = () => page.getByRole("option").allInnerTexts();
    await page.keyboard.type("la");
    await page.getByRole("option").first().waitFor();
    expect((await options())[0]).toMatch(/^lang:/);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await page.keyboard.type("py");
    await expect.poll(options).toEqual(["lang:python"]);
    await page.keyboard.press("ArrowDown");
    expect(await query(page).getAttribute("aria-activedescendant")).toBe("completion-0");
    await page.keyboard.press("Enter");
    expect(await query(page).inputValue()).toBe("lang:python ");
    await page.keyboard.type("-path:sr");
    await expect
      .poll(options)
      .toEqual(["-path:src/\nfolder"].map(() => expect.stringContaining("-path:src/")));
    await page.keyboard.press("Tab");
    await expect.poll(options).toEqual([expect.stringContaining("-path:src/credentials/")]);
    await page.keyboard.press("Escape");
    expect(await page.getByRole("option").count()).toBe(0);
    await query(page).fill("sym:revokeC");
    await expect
      .poll(async () => (await options())[0] ?? "", LONG_TIMEOUT)
      .toMatch(/^sym:revokeCredential/);
    await query(page).fill("lang:go");
    await status(page, /Add words/);
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
    // The namespace of the folder in which the server was started.
    await status(page, / · project · /);
    const choice = page.getByLabel("Namespace");
    expect(await choice.inputValue()).toBe("project");
    expect(await choice.locator("option").allTextContents()).toEqual([
      "decisions",
      "project",
      "All",
    ]);
    await choice.selectOption("decisions");
    await status(page, / · decisions · /);
    await choice.selectOption("project");
    await status(page, / · project · /);
    expect(page.url()).toContain("&namespace=project");
    expect(await findings(page)).toEqual([]);
    // Definitions and text of all of them, with the namespace of each.
    await choice.selectOption("*");
    await query(page).fill("sym:revokeCredential");
    await status(page, /definitions? · all namespaces · /);
    expect(await page.locator(".namespace").first().textContent()).toBe("project");
    await query(page).fill('"credential"');
    await status(page, /lines in \d+ files · all namespaces · /);
    const named = async (): Promise<readonly string[]> =>
      page.locator(".namespace").allTextContents();
    expect(new Set(await named())).toEqual(new Set(["decisions", "project"]));
    await query(page).fill("sym:revokeCredential repo:decisions");
    await status(page, / · decisions · /);
    await query(page).fill("sym:revokeCredential");
    await status(page, /definitions? · all namespaces · /);
    await results(page).first().locator(".path").click();
    await page.locator("#code .marked").waitFor();
    expect(await choice.inputValue()).toBe("project");
    await page.goBack();
    await status(page, /definitions? · all namespaces · /);
    expect(await choice.inputValue()).toBe("*");
    await choice.selectOption("project");
    await ask(page, "credential store");

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
    await page.keyboard.press("x");
    expect(await visibleLines.count()).toBeGreaterThan(few);
    expect(
      await page.getByRole("button", { name: "Show fewer lines" }).getAttribute("aria-expanded"),
    ).toBe("true");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toBe("number");
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe(ids[0]);
    await page.keyboard.press("Enter");
    await page.locator("#code .marked").waitFor();
    expect(page.url()).toMatch(/#file=src\/credentials\/revoke\.ts:\d+&q=where/);
    await page.keyboard.press("Escape");
    await page.locator("#search-view").waitFor();
    expect(await focused(page)).toBe(ids[0]);
    // From another result, Back and Esc lead to where it was.
    const fifth = results(page).nth(4);
    await fifth.locator(".path").scrollIntoViewIfNeeded();
    const scrolled: number = await page.evaluate("scrollY");
    await fifth.locator(".path").click();
    await page.locator("#code .marked").waitFor();
    await page.goBack();
    await fifth.waitFor();
    expect(scrolled).toBeGreaterThan(100);
    expect(await page.evaluate("scrollY")).toBe(scrolled);
    await page.goForward();
    await page.locator("#code .marked").waitFor();
    await page.keyboard.press("Escape");
    await fifth.waitFor();
    expect(await focused(page)).toBe(ids[4]);
    await results(page).first().focus();
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("query");
    await page.keyboard.press("?");
    expect(await query(page).inputValue()).toBe("?");
    await query(page).fill("where are tokens revoked");
    // The page may have searched for "?" meanwhile, which has no results to move to.
    await expect.poll(() => page.title(), LONG_TIMEOUT).toMatch(/^where are tokens revoked · /);
    await status(page, /passage/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel("Use single keys as shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("/");
    expect(await focused(page)).not.toBe("query");
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("query");
  });

  test("Tab reaches each control once, with visible focus", async () => {
    const { page } = await enter("#q=keychain+of+the+sealed+store");
    await status(page, /passage/);
    const facets = await page.locator(".facet").count();
    await query(page).focus();
    const stops: string[] = [];
    for (let stop = 0; stop < facets + 8; stop += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await page.keyboard.press("Tab");
      // oxlint-disable-next-line no-await-in-loop
      const found: string = await page.evaluate(`(() => {
      const at = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      const isVisible = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
      return (at.id || at.className) + (isVisible ? "" : " without focus ring");
    })()`);
      stops.push(found);
    }
    expect(facets).toBeGreaterThan(1);
    expect(stops.slice(0, 2)).toEqual(["help-button", "sign-out"]);
    expect(new Set(stops.slice(2, 2 + facets))).toEqual(new Set(["facet"]));
    const controls = await results(page).evaluateAll((all) =>
      all.flatMap((one) => [
        "path",
        "copy",
        "number",
        ...(one.querySelector(".expand") ? ["expand"] : []),
      ]),
    );
    expect(stops.slice(2 + facets)).toEqual(controls.slice(0, 6));
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
    await page.getByRole("button", { name: "Help" }).tap();
    expect(await isWiderThanScreen(page)).toBe(false);
  });
});
