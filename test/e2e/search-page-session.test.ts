// Signing in to the search page, and the admin's view, in a real browser.
import { join } from "node:path";

import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";

import { needs } from "../helpers/needs.ts";
import { createTokenFor, outputHere } from "../spec/commands-here.ts";
import { JSON_BODY, startHttp } from "../spec/http-server.ts";
import { freshName } from "../spec/program.ts";
import { findings } from "./browser.ts";
import {
  ask,
  isWiderThanScreen,
  LONG_TIMEOUT,
  ownFiles,
  query,
  searchPage,
  signIn,
  status,
} from "./search-page-user.ts";

const FORM = "API key or access token";

/** The status of a request that this page sends. */
function statusOf(page: Page, path: string, init: object): Promise<number> {
  return page.evaluate(
    `fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then(({ status }) => status)`,
  );
}

needs(["chromium"], () => {
  const { served, open, enter } = searchPage({
    ...ownFiles("src/credentials"),
    "assets/blob.bin": "\0\u0001\0binary\0",
  });

  async function tokenOf(...flags: readonly string[]) {
    return createTokenFor(served().place, "--name", freshName("page"), ...flags);
  }

  test("a reload and a second tab keep the session, signing out ends it in all of them", async () => {
    const { page } = await enter("#q=revoked");
    await page.reload();
    await status(page, /passage/);
    const second = await page.context().newPage();
    await second.goto(served().server.url);
    await query(second).waitFor();
    const [cookie] = await page.context().cookies();
    const header = await page.evaluate("localStorage.getItem('svc-page-token')");
    await second.getByRole("button", { name: "Sign out" }).click();
    await second.getByLabel(FORM).waitFor();
    await query(page).fill("keychain");
    await page.getByRole("alert").getByText("Your session has ended").waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await page.getByLabel(FORM).waitFor();
    expect(await page.getByRole("alert").textContent()).toBe("");
    // The two halves of the ended session are useless.
    const again = await fetch(`${served().server.url}/v1/namespaces`, {
      headers: { Cookie: `${cookie?.name}=${cookie?.value}`, "X-Svc-Page": String(header) },
    });
    expect(again.status).toBe(401);
  });

  test("a token signs in, chooses among its namespaces, and is refused once it is revoked", async () => {
    const { place, server } = served();
    await outputHere(place, "index", join(place.root, "src"), "--namespace", "second");
    const { token, token_id: id } = await tokenOf("--namespace", "project,second");
    const { page, violations } = await open(server.url);
    await signIn(page, token);
    await ask(page, "where are tokens revoked");
    const choice = page.locator("#namespace");
    expect(await choice.locator("option").allTextContents()).toEqual(["project", "second", "All"]);
    await choice.selectOption("second");
    await status(page, / · second · /);
    expect(await page.getByRole("button", { name: "Admin" }).isVisible()).toBe(false);
    const headers = `{ "X-Svc-Page": localStorage.getItem("svc-page-token") }`;
    const refused = await page.evaluate(
      `fetch("/page/admin", { headers: ${headers} }).then(({ status }) => status)`,
    );
    expect(refused).toBe(403);
    await outputHere(place, "auth", "token", "revoke", id);
    await query(page).fill("audit log");
    await page.getByRole("alert").getByText("This key or token was revoked").waitFor();
    expect(await violations()).toEqual([]);
  });

  test("a session opens what the page uses and nothing else, and needs both of its halves", async () => {
    const { page } = await enter();
    const pageToken: string = await page.evaluate("localStorage.getItem('svc-page-token')");
    const own = { "X-Svc-Page": pageToken };
    const mcp = { method: "POST", headers: { ...JSON_BODY, ...own }, body: "{}" };
    expect(await statusOf(page, "/v1/namespaces", { headers: own })).toBe(200);
    expect(await statusOf(page, "/v1/namespaces", {})).toBe(401);
    expect(await statusOf(page, "/v1/namespaces", { headers: { "X-Svc-Page": "a" } })).toBe(401);
    expect(await statusOf(page, "/mcp", mcp)).toBe(401);
    expect(
      await statusOf(page, "/metrics", { headers: { ...own, Authorization: "Bearer x" } }),
    ).toBe(401);
    const { server } = served();
    const foreign = await fetch(`${server.url}/v1/namespaces`, { headers: own });
    expect(foreign.status).toBe(401);
  });

  test("another server of this machine can send no request of the session", async () => {
    const { page } = await enter();
    const pageToken = String(await page.evaluate("localStorage.getItem('svc-page-token')"));
    const other = await startHttp(served().place);
    onTestFinished(async () => void (await other.close()));
    // The browser sends a cookie to all ports of a host; a page of another port is of the same site.
    await page.goto(`${other.url}/page/icon.svg`);
    const sent = await page.evaluate(
      `Promise.all([
        fetch("${served().server.url}/v1/namespaces", { credentials: "include", headers: { "X-Svc-Page": "${pageToken}" } }),
        fetch("${served().server.url}/page/session", { method: "DELETE", credentials: "include" }),
      ].map((one) => one.then(() => "sent", () => "refused")))`,
    );
    expect(sent).toEqual(["refused", "refused"]);
    await page.goto(served().server.url);
    await query(page).waitFor();
    const crossSite = await fetch(`${served().server.url}/page/session`, {
      method: "POST",
      headers: { "X-API-Key": served().key, "Sec-Fetch-Site": "same-site" },
    });
    expect([crossSite.status, crossSite.headers.get("set-cookie")]).toEqual([403, null]);
  });

  test("--open prints an address that signs in once, as the owner, who sees the admin's view", async () => {
    const { place } = served();
    const server = await startHttp(place, "--open");
    onTestFinished(async () => void (await server.close()));
    const address = async (): Promise<string> =>
      /http:\/\/\S+#code=\S+/.exec(server.stderr())?.[0] ?? "";
    await expect.poll(address, LONG_TIMEOUT).toMatch(/#code=[\w-]{43}$/);
    const link = await address();
    const { page, requests, violations, faults } = await open(link);
    await query(page).waitFor();
    expect(page.url()).toBe(`${server.url}/#`);
    await page.reload();
    await query(page).waitFor();
    await ask(page, "where are tokens revoked");
    const { page: thief } = await open(link);
    await thief.getByRole("alert").getByText("This one-time code is invalid").waitFor();
    expect(await thief.context().cookies()).toEqual([]);
    // The code is in no request line, and therefore in no log.
    const code = link.split("code=")[1] ?? "";
    expect(requests.filter((url) => new URL(url).pathname.includes(code))).toEqual([]);

    await page.getByRole("button", { name: "Admin" }).click();
    await page.getByRole("heading", { name: "project", exact: true }).waitFor();
    await page.getByRole("heading", { name: "Call times" }).waitFor();
    expect(await page.locator(".plot .call").count()).toBeGreaterThan(0);
    expect(await page.locator(".plot").getAttribute("aria-label")).toMatch(/^\d+ calls, 0 of them/);
    const text = (await page.locator("#admin").textContent()) ?? "";
    expect(text).toContain("key_");
    expect(text).toContain("/v1/search");
    expect(text).not.toMatch(/sv[kt]_|where are tokens revoked/);
    expect([await violations(), faults]).toEqual([[], []]);
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 1280],
      ["dark", 320],
      ["light", 320],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- the page is one
      await page.emulateMedia({ colorScheme });
      // oxlint-disable-next-line no-await-in-loop
      await page.setViewportSize({ width, height: 800 });
      // oxlint-disable-next-line no-await-in-loop
      expect(await findings(page)).toEqual([]);
      // oxlint-disable-next-line no-await-in-loop
      expect(await isWiderThanScreen(page)).toBe(false);
    }
    await page.keyboard.press("Escape");
    await query(page).waitFor();
  });

  test("a token with --admin sees the admin's view, with the files that were skipped", async () => {
    const { server } = served();
    const { token } = await tokenOf("--admin");
    const { page } = await open(server.url);
    await signIn(page, token);
    await query(page).waitFor();
    await page.getByRole("button", { name: "Admin" }).click();
    await page.getByRole("heading", { name: "Projects" }).waitFor();
    const project = page.locator("article", {
      has: page.getByRole("heading", { name: "project", exact: true }),
    });
    await project.getByText("Skipped: ").click();
    await project.getByRole("region", { name: "Skipped files" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("button", { name: "Back to search" }).click();
    expect(await page.evaluate("document.activeElement.id")).toBe("admin-button");
  });
});
