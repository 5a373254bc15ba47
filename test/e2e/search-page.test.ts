// The search page of `svc serve` in a real browser, over the index of a part of this repository.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createKey } from "../spec/credential-commands.ts";
import { servedOver, startHttp } from "../spec/http-server.ts";
import { svc } from "../spec/program.ts";
import { findings, launch, openPage, PATIENCE_MS, PUBLIC_NAME, type Watched } from "./browser.ts";

const ROOT = join(import.meta.dirname, "../..");
process.env["SVC_BIN"] = join(ROOT, "dist/svc");

const HOSTILE_NAME = `"><img src=x onerror=globalThis.pwned=1> \u202egpj.md`;
const HOSTILE_TEXT = [
  "# Zanzibar <img src=x onerror=globalThis.pwned=2>",
  "",
  "zanzibar <script>globalThis.pwned=3</script> <svg/onload=globalThis.pwned=4>",
  "[zanzibar](javascript:globalThis.pwned=5) </code></pre><iframe srcdoc='<script>pwned</script>'>",
  "",
].join("\n");

const served = servedOver({
  ...ownFiles("src/credentials", "src/search", "docs/decisions"),
  [HOSTILE_NAME]: HOSTILE_TEXT,
});

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
}, 60_000);
afterAll(() => browser.close());

function ownFiles(...folders: readonly string[]): Readonly<Record<string, string>> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [`${folder}/${name}`, readFileSync(join(ROOT, folder, name), "utf8")]),
  );
  return Object.fromEntries(files);
}

async function signIn(page: Page, key = served().key): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.keyboard.press("Enter");
}

/** A page on which somebody has signed in. */
async function enter(
  fragment = "",
  options: Parameters<typeof openPage>[2] = {},
): Promise<Watched> {
  const watched = await openPage(browser, `${served().server.url}/${fragment}`, options);
  await signIn(watched.page);
  await query(watched.page).waitFor();
  return watched;
}

function query(page: Page): Locator {
  return page.getByRole("searchbox", { name: "Search" });
}

function results(page: Page): Locator {
  return page.locator("article");
}

/** Waits for the line that tells how many there are. */
async function status(page: Page, pattern: RegExp): Promise<void> {
  await page.locator("#status", { hasText: pattern }).waitFor();
}

async function ask(page: Page, question: string): Promise<void> {
  await query(page).fill(question);
  await status(page, /passage/);
  await eventually(() => new URL(page.url()).hash).toContain(
    encodeURIComponent(question.split(" ")[0] ?? ""),
  );
}

/** Waits for it, as long as a busy machine takes. */
function eventually<T>(look: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look, { timeout: PATIENCE_MS });
}

function focused(page: Page): Promise<string> {
  return page.evaluate(
    "document.activeElement.id || document.activeElement.getAttribute('aria-labelledby') || document.activeElement.className",
  );
}

function isWiderThanScreen(page: Page): Promise<boolean> {
  return page.evaluate("document.scrollingElement.scrollWidth > innerWidth");
}

test("a key signs in, and is nowhere to be found afterwards", async () => {
  const { page, violations, faults, requests } = await openPage(browser, served().server.url);
  expect(await page.getByLabel("API key").getAttribute("type")).toBe("password");
  expect(await page.getByLabel("API key").getAttribute("autocomplete")).toBe("current-password");
  expect(await findings(page)).toEqual([]);
  await signIn(page);
  await query(page).waitFor();
  expect(await focused(page)).toBe("query");
  expect(await findings(page)).toEqual([]);
  await ask(page, "where are tokens revoked");
  const { key } = served();
  const kept: string = await page.evaluate(`JSON.stringify([
    document.documentElement.outerHTML,
    [...document.querySelectorAll("input")].map((input) => input.value),
    location.href, document.cookie, { ...localStorage }, { ...sessionStorage }, history.state,
  ])`);
  expect(kept).toContain("where are tokens revoked");
  expect(kept).not.toContain(key);
  expect(requests.filter((url) => url.includes(key))).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.evaluate("indexedDB.databases().then((all) => all.length)")).toBe(0);
  expect(requests.filter((url) => !url.startsWith(`${served().server.url}/`))).toEqual([]);
  expect([await violations(), faults]).toEqual([[], []]);
  await page.reload();
  await page.getByLabel("API key").waitFor();
  expect(await page.getByLabel("API key").inputValue()).toBe("");
});

test("results have place, name, kind, language, score, and lines with the words of the question", async () => {
  const { page } = await enter();
  await ask(page, "where are tokens revoked");
  const first = results(page).first();
  expect(await first.locator("h2").textContent()).toMatch(/^src\/credentials\/revoke\.ts:\d+-\d+$/);
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

test("only the last of what was typed is answered, and the requests before it are given up", async () => {
  const { page } = await enter();
  const aborted: string[] = [];
  page.on("requestfailed", (request) => void aborted.push(request.postData() ?? ""));
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/v1/search", async (route) => {
    if (route.request().postData()?.includes("audit log") === true) await held;
    await route.continue().catch(() => {});
  });
  const asked = page.waitForRequest(
    (request) => request.postData()?.includes("audit log") === true,
  );
  await query(page).fill("audit log");
  await asked;
  await ask(page, "keychain");
  release();
  await eventually(() => aborted).toEqual([expect.stringContaining('"audit log"')]);
  expect(await page.locator("#results").getAttribute("aria-busy")).toBe("false");
  expect(await page.locator("mark").first().textContent()).toMatch(/keychain/i);
});

test("filters narrow, are part of the address, and can be cleared", async () => {
  const { page } = await enter();
  await ask(page, "credential store");
  await page.getByRole("checkbox", { name: "docs" }).check();
  await eventually(() => new Set(page.url().split("&"))).toContain("kind=docs");
  const kinds = async (): Promise<string[]> => [
    ...new Set(await page.locator(".facts .fact:nth-of-type(1)").allTextContents()),
  ];
  await eventually(kinds).toEqual(["docs"]);
  await page.getByRole("checkbox", { name: "docs" }).uncheck();
  await page.getByLabel("Path").fill("src/credentials/**");
  const paths = () => page.locator("h2[id] .folder").allTextContents();
  await eventually(async () => [...new Set(await paths())]).toEqual(["src/credentials/"]);
  await page.getByLabel("Path").fill("nowhere/**");
  await status(page, /^Nothing found/);
  expect(await findings(page)).toEqual([]);
  await page.getByLabel("Language").fill("klingon");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText('there is no "klingon"').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.locator("#problem").getByRole("button", { name: "Clear filters" }).click();
  await status(page, /passage/);
  expect(new URL(page.url()).hash).toBe("#q=credential+store");
});

test("more results follow those that are there", async () => {
  const { page } = await enter("#q=credential");
  await status(page, /^First \d+ passages/);
  const before = await results(page).count();
  await page.getByRole("button", { name: "More results" }).click();
  await eventually(() => results(page).count()).toBeGreaterThan(before);
  expect(await focused(page)).toBe(await results(page).nth(before).getAttribute("aria-labelledby"));
  await status(page, new RegExp(`${await results(page).count()} passages`));
});

test("everything can be done with the keyboard", async () => {
  const { page } = await enter();
  await page.keyboard.type("where are tokens revoked");
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
  await eventually(() => page.url()).toMatch(/&at=src\/credentials\/revoke\.ts:\d+$/);
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
  await page.getByLabel("Letters and signs are shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.keyboard.press("/");
  expect(await focused(page)).not.toBe("query");
  await page.keyboard.press("Escape");
  expect(await focused(page)).toBe("query");
});

test("Tab reaches each control once, and shows where it is", async () => {
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
  expect(stops.slice(8)).toEqual(["copy", "number", "fold", "copy", "number", "copy"]);
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

test("Back leads to the question before", async () => {
  const { page } = await enter();
  await ask(page, "keychain");
  await page.keyboard.press("Enter");
  await ask(page, "passphrase");
  await page.goBack();
  await eventually(() => query(page).inputValue()).toBe("keychain");
  await eventually(() => page.title()).toBe("keychain · svc search");
});

test("names and texts of files are shown as they are, and do nothing", async () => {
  const { page, violations, faults, requests } = await enter("#q=zanzibar");
  await status(page, /passage/);
  const result = results(page).filter({ hasText: "Zanzibar" }).first();
  const heading = await result.locator("h2").textContent();
  expect(heading).toContain('"><img src=x onerror=globalThis.pwned=1> ⟨U+202E⟩gpj.md');
  expect(await result.locator(".code").textContent()).toContain(
    "<script>globalThis.pwned=3</script>",
  );
  await result.locator(".number").first().click();
  expect(await result.locator("img, script, iframe, svg, a:not(.number)").count()).toBe(0);
  const links = await page
    .locator("a")
    .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  expect(links.filter((href) => href?.startsWith("#") !== true)).toEqual([]);
  expect(await page.evaluate("globalThis.pwned")).toBeUndefined();
  expect(requests.filter((url) => !url.startsWith(`${served().server.url}/`))).toEqual([]);
  expect([await violations(), faults]).toEqual([[], []]);
});

test("a script that got in would not run", async () => {
  const { url } = served().server;
  const { page, violations } = await openPage(browser, url);
  await page.route(`${url}/`, async (route) => {
    const response = await route.fetch();
    const script =
      "<script>globalThis.pwned = 1</script><p onclick='globalThis.pwned = 2'>click</p>";
    const body = (await response.text()).replace("<body>", `<body>${script}`);
    await route.fulfill({ response, body });
  });
  await page.reload();
  await page.getByText("click").click();
  const tried: string[] = await page.evaluate(`(() => {
    const script = document.createElement("script");
    const frame = document.createElement("iframe");
    const tries = [
      () => { document.body.innerHTML += "<img src=x onerror=globalThis.pwned=3>"; },
      () => { script.textContent = "globalThis.pwned = 4"; },
      () => { script.src = "https://example.com/script.js"; },
      () => { frame.src = "https://example.com/"; document.body.append(frame); },
      () => { document.body.setAttribute("style", "color: red"); },
      () => { void import("https://example.com/module.js").catch(() => {}); },
    ];
    return tries.map((one) => { try { one(); return "done"; } catch (error) { return error.name; } });
  })()`);
  expect(tried).toEqual(["TypeError", "TypeError", "TypeError", "done", "done", "done"]);
  await eventually(async () => [...new Set(await violations())].toSorted()).toEqual([
    "frame-src",
    "require-trusted-types-for",
    "script-src-attr",
    "script-src-elem",
    "style-src-attr",
  ]);
  expect(await page.evaluate("globalThis.pwned")).toBeUndefined();
  const sent = 'fetch("https://example.com/").then(() => "sent", () => "refused")';
  expect(await page.evaluate(sent)).toBe("refused");
});

test("what is not a good answer is said", async () => {
  const { page } = await enter();
  await query(page).fill("qq");
  await status(page, /at least three/);
  await ask(page, "zzzqqq xxkkvv");
  await page.getByText("No good match").waitFor();
  expect(await findings(page)).toEqual([]);
  // An index that is being built is gone before a browser can look: the real answer is told to be one.
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
    colours.add(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"));
  }
  expect(colours.size).toBe(2);
  const animation = await page.evaluate(
    `getComputedStyle(document.getElementById("progress")).animationName`,
  );
  expect(animation).toBe("none");
});

test("on the screen of a phone nothing but code scrolls sideways", async () => {
  const options = { viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true };
  const { page } = await openPage(browser, served().server.url, options);
  expect(await isWiderThanScreen(page)).toBe(false);
  await signIn(page);
  await query(page).waitFor();
  expect(await isWiderThanScreen(page)).toBe(false);
  await ask(page, "zanzibar");
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

test("a key that is revoked meanwhile leads back to signing in, and on with the question", async () => {
  const { place, server } = served();
  const made = await createKey(place, { name: "short", namespace: "project" });
  const { page } = await openPage(browser, server.url);
  await signIn(page, made.key);
  await query(page).waitFor();
  await svc(place, "auth", "keys", "revoke", made.key_id);
  await query(page).fill("audit log");
  await page.getByRole("alert").getByText("This key was revoked").waitFor();
  expect(await page.getByLabel("API key").inputValue()).toBe("");
  expect(await page.locator("#results").textContent()).toBe("");
  await signIn(page);
  await status(page, /passage/);
  expect(await query(page).inputValue()).toBe("audit log");
});

test("a server that is away is told from a key that is wrong", async () => {
  const second = await startHttp(served().place);
  const { page } = await openPage(browser, second.url);
  await signIn(page);
  await query(page).waitFor();
  await second.close();
  await query(page).fill("audit log");
  await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page);
  await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
});

test("over TLS and under a name of its own it works the same", async () => {
  const { place } = served();
  const [cert, key] = [join(place.home, "cert.pem"), join(place.home, "key.pem")];
  const words = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${PUBLIC_NAME} -keyout ${key} -out ${cert}`;
  expect(spawnSync("openssl", words.split(" ")).status).toBe(0);
  const flags = ["--allow-host", PUBLIC_NAME, "--tls-cert", cert, "--tls-key", key];
  const second = await startHttp(place, ...flags);
  const url = second.url.replace("127.0.0.1", PUBLIC_NAME);
  const { page, violations } = await openPage(browser, url);
  await signIn(page);
  await query(page).waitFor();
  await ask(page, "where are tokens revoked");
  expect(await violations()).toEqual([]);
  await second.close();
});

test("keys that do not fit are refused with what is wrong, until there are too many", async () => {
  const { server, token, key } = served();
  const { page } = await openPage(browser, server.url);
  const refused = async (given: string, title: string): Promise<void> => {
    await signIn(page, given);
    await page.getByRole("alert").getByText(title).waitFor();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  };
  await refused("", "Paste an API key");
  await refused("ключ", "This is not an API key");
  await refused(`${key}x`, "This is not an API key");
  expect(await page.getByLabel("API key").getAttribute("aria-invalid")).toBe("true");
  expect(await focused(page)).toBe("key");
  expect(await findings(page)).toEqual([]);
  await refused(token, "This key does not open anything here");
  for (let attempt = 0; attempt < 10; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- the server counts them
    await page.request.post(`${server.url}/v1/search`, {
      headers: { "X-API-Key": "svk_wrong" },
      data: {},
    });
  }
  await refused("svk_wrong", "Too many attempts");
  await signIn(page);
  await query(page).waitFor();
});
