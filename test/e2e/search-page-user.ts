// A user of the search page.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import { servedHere } from "../spec/commands-here.ts";
import type { Served } from "../spec/http-server.ts";
import { launch, openPage, LONG_TIMEOUT_MS, type Watched } from "./browser.ts";

/** How long to wait for a condition. */
export const LONG_TIMEOUT = { timeout: LONG_TIMEOUT_MS };

export const ROOT = join(import.meta.dirname, "../..");
process.env["SVC_BIN"] = join(ROOT, "dist/svc");

interface SearchPage {
  readonly served: () => Served;
  readonly open: (url: string, options?: BrowserContextOptions) => Promise<Watched>;
  /** Opens the page of the server with this fragment, and signs in. */
  readonly enter: (fragment?: string, options?: BrowserContextOptions) => Promise<Watched>;
}

/** A server over the index of these files, and a browser, for all tests of a file. */
export function searchPage(files: Readonly<Record<string, string>>): SearchPage {
  const served = servedHere(files);
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  }, 60_000);
  afterAll(() => browser.close());
  const open: SearchPage["open"] = (url, options) => openPage(browser, url, options);
  return {
    served,
    open,
    enter: async (fragment = "", options = {}) => {
      const watched = await open(`${served().server.url}/${fragment}`, options);
      await signIn(watched.page, served().key);
      await query(watched.page).waitFor();
      return watched;
    },
  };
}

/** Files of this repository, by path. */
export function ownFiles(...folders: readonly string[]): Readonly<Record<string, string>> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [`${folder}/${name}`, readFileSync(join(ROOT, folder, name), "utf8")]),
  );
  return Object.fromEntries(files);
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.keyboard.press("Enter");
}

export function query(page: Page): Locator {
  return page.getByRole("combobox", { name: "Search" });
}

export function results(page: Page): Locator {
  return page.locator("article");
}

/** Waits for the line that shows the number of results. */
export async function status(page: Page, pattern: RegExp): Promise<void> {
  await page.locator("#status", { hasText: pattern }).waitFor();
}

/** Types a question, and waits until its answer is shown. */
export async function ask(page: Page, question: string): Promise<void> {
  await query(page).fill(question);
  await expect.poll(() => page.title(), LONG_TIMEOUT).toBe(`${question} · svc search`);
}

export function focused(page: Page): Promise<string> {
  return page.evaluate(
    "document.activeElement.id || document.activeElement.getAttribute('aria-labelledby') || document.activeElement.className",
  );
}

export function isWiderThanScreen(page: Page): Promise<boolean> {
  return page.evaluate("document.scrollingElement.scrollWidth > innerWidth");
}
