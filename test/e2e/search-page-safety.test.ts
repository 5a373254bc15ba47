// How the search page handles keys, hostile files, and a server that refuses requests or is unreachable.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createKey } from "../spec/commands-here.ts";
import { SECRETS } from "../transports/http/memory-access.ts";
import { startHttp } from "../spec/http-server.ts";
import { svc } from "../spec/program.ts";
import { findings, PUBLIC_NAME } from "./browser.ts";
import {
  ask,
  focused,
  isWiderThanScreen,
  ownFiles,
  LONG_TIMEOUT,
  query,
  results,
  searchPage,
  signIn,
  status,
} from "./search-page-user.ts";
import { needs } from "../helpers/needs.ts";

const HOSTILE_NAME = `"><img src=x onerror=globalThis.pwned=1> \u202egpj.md`;
const HOSTILE_TEXT = [
  "# Zanzibar <img src=x onerror=globalThis.pwned=2>",
  "",
  "zanzibar <script>globalThis.pwned=3</script> <svg/onload=globalThis.pwned=4>",
  "[zanzibar](javascript:globalThis.pwned=5) </code></pre><iframe srcdoc='<script>pwned</script>'>",
  "",
].join("\n");

needs(["chromium"], () => {
  const { served, open, enter } = searchPage({
    ...ownFiles("src/credentials"),
    [HOSTILE_NAME]: HOSTILE_TEXT,
  });

  test("a key signs in, and is nowhere to be found afterwards", async () => {
    const { page, violations, faults, requests } = await open(served().server.url);
    expect(await page.getByLabel("API key").getAttribute("type")).toBe("password");
    expect(await page.getByLabel("API key").getAttribute("autocomplete")).toBe("current-password");
    expect(await findings(page)).toEqual([]);
    await signIn(page, served().key);
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
    const { port } = new URL(served().server.url);
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([
      { name: `svc-session-${port}`, httpOnly: true, sameSite: "Strict", path: "/", expires: -1 },
    ]);
    expect(kept).not.toContain(cookies[0]?.value);
    expect(await page.evaluate("indexedDB.databases().then((all) => all.length)")).toBe(0);
    expect(requests.filter((url) => !url.startsWith(`${served().server.url}/`))).toEqual([]);
    expect([await violations(), faults]).toEqual([[], []]);
    await page.reload();
    await status(page, /passage/);
    expect(await page.getByLabel("API key").inputValue()).toBe("");
  });

  test("names and texts of files are shown unchanged, and have no effect", async () => {
    const { page, violations, faults, requests } = await enter("#q=zanzibar");
    await status(page, /passage/);
    const result = results(page).filter({ hasText: "Zanzibar" }).first();
    const heading = await result.locator("h2").textContent();
    expect(heading).toContain('"><img src=x onerror=globalThis.pwned=1> ⟨U+202E⟩gpj.md');
    expect(await result.locator(".code").textContent()).toContain(
      "<script>globalThis.pwned=3</script>",
    );
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await isWiderThanScreen(page)).toBe(false);
    expect(await result.locator("img, script, iframe, svg, a:not(.number, .path)").count()).toBe(0);
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
    const { page, violations } = await open(url);
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
    await expect
      .poll(async () => [...new Set(await violations())].toSorted(), LONG_TIMEOUT)
      .toEqual([
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

  test("a key that is revoked in between leads back to signing in, and then to the query", async () => {
    const { place, server } = served();
    const created = await createKey(place, { name: "short", namespace: "project" });
    const { page } = await open(server.url);
    await signIn(page, created.key);
    await query(page).waitFor();
    await svc(place, "auth", "keys", "revoke", created.key_id);
    await query(page).fill("audit log");
    await page.getByRole("alert").getByText("This key or token was revoked").waitFor();
    expect(await page.getByLabel("API key").inputValue()).toBe("");
    expect(await page.locator("#results").textContent()).toBe("");
    await signIn(page, served().key);
    await status(page, /passage/);
    expect(await query(page).inputValue()).toBe("audit log");
  });

  test("a server that is away and a wrong key have different messages", async () => {
    const second = await startHttp(served().place);
    const { page } = await open(second.url);
    await signIn(page, served().key);
    await query(page).waitFor();
    await second.close();
    await query(page).fill("audit log");
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, served().key);
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
  });

  needs(["openssl"], () => {
    test("over TLS and under its own name it works the same", async () => {
      const { place } = served();
      const [cert, key] = [join(place.home, "cert.pem"), join(place.home, "key.pem")];
      const words = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${PUBLIC_NAME} -keyout ${key} -out ${cert}`;
      expect(spawnSync("openssl", words.split(" ")).status).toBe(0);
      const flags = ["--allow-host", PUBLIC_NAME, "--tls-cert", cert, "--tls-key", key];
      const second = await startHttp(place, ...flags);
      const url = second.url.replace("127.0.0.1", PUBLIC_NAME);
      const { page, violations } = await open(url);
      await signIn(page, served().key);
      await query(page).waitFor();
      await ask(page, "where are tokens revoked");
      expect(await violations()).toEqual([]);
      const { port } = new URL(url);
      expect(await page.context().cookies()).toMatchObject([
        { name: `__Host-svc-session-${port}`, secure: true, httpOnly: true, sameSite: "Strict" },
      ]);
      await page.reload();
      await status(page, /passage/);
      await second.close();
    });
  });

  test("malformed keys are refused with the reason, until there are too many", async () => {
    const { server, key } = served();
    const { page } = await open(server.url);
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
    await refused(SECRETS.otherToken, "The server does not accept this key or token");
    for (let attempt = 0; attempt < 10; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the server counts them
      await page.request.post(`${server.url}/v1/search`, {
        headers: { "X-API-Key": "svk_wrong" },
        data: {},
      });
    }
    await refused("svk_wrong", "Too many attempts");
    await signIn(page, served().key);
    await query(page).waitFor();
  });
});
