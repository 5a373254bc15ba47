// Writes the pictures of docs/page.md: the page of `svc serve` over the published sources of webpack, whose version
// package-lock.json pins, in Chromium. Look at them before you commit them.
//
//     npm run build && node scripts/docs/page-pictures.ts
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { chromium, type Browser, type Page } from "playwright-core";

import { realProject } from "../../test/helpers/real-project.ts";
import { findProgram } from "../testing/requirements.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const PROGRAM = path.join(ROOT, "dist/svc");

/** One picture: its name, the address of the page, and what the user does there. */
interface Picture {
  readonly name: string;
  readonly fragment: string;
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  readonly height: number;
  readonly act: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  {
    name: "page-results",
    fragment: "#q=how+is+a+relative+path+made+absolute",
    colorScheme: "light",
    width: 1080,
    height: 620,
    act: (page) => page.locator("article").first().waitFor(),
  },
  {
    name: "page-file",
    fragment: "#file=lib/util/identifier.js:106-111",
    colorScheme: "light",
    width: 1080,
    height: 620,
    async act(page) {
      await page.locator("#code .keyword").first().waitFor();
      await page
        .locator("#code .function", { hasText: /^requestToAbsolute$/ })
        .first()
        .click();
      await page
        .locator("#name-panel")
        .getByText(/ exact, /)
        .waitFor();
    },
  },
  {
    name: "page-suggestions",
    fragment: '#q="toAbsolute"+path:lib/util/**',
    colorScheme: "dark",
    width: 1080,
    height: 460,
    async act(page) {
      await page.locator("article").first().waitFor();
      await page.locator("#query").press("End");
      await page.keyboard.type(" -ki");
      await page.keyboard.press("Tab");
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    name: "page-phone",
    fragment: "#file=lib/util/identifier.js:106-111",
    colorScheme: "dark",
    width: 390,
    height: 620,
    act: (page) => page.locator("#code .keyword").first().waitFor(),
  },
];

/** Serves the project, and calls `use` with the address of the page and a key. */
async function withServer(use: (url: string, key: string) => Promise<void>): Promise<void> {
  const parent = mkdtempSync(path.join(tmpdir(), "svc-pictures-"));
  const home = path.join(parent, "home");
  mkdirSync(home);
  const env = { HOME: home, SERVICE_HOME: path.join(home, "data"), PATH: process.env["PATH"] };
  const options = { cwd: realProject(parent), env, encoding: "utf8" } as const;
  execFileSync(PROGRAM, ["index", "."], options);
  const args = ["auth", "keys", "create", "--name", "pictures", "--namespace", "webpack"];
  const key = execFileSync(PROGRAM, args, { ...options, stdio: ["ignore", "pipe", "ignore"] });
  const server = spawn(PROGRAM, ["serve", "--port", "0"], {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    let said = "";
    while (!/http:\/\/\S+/.test(said)) {
      // oxlint-disable-next-line no-await-in-loop -- until it listens
      const [part] = await once(server.stderr, "data");
      said += String(part);
    }
    await use(/http:\/\/[\d.:]+/.exec(said)?.[0] ?? "", key.trim());
  } finally {
    server.kill();
    await once(server, "exit");
    rmSync(parent, { recursive: true, force: true });
  }
}

async function take(
  browser: Browser,
  picture: Picture,
  at: { url: string; key: string },
): Promise<void> {
  const { name, fragment, colorScheme, width, height, act } = picture;
  const page = await browser.newPage({ colorScheme, viewport: { width, height } });
  await page.goto(`${at.url}/${fragment}`);
  await page.getByLabel("API key").fill(at.key);
  await page.keyboard.press("Enter");
  await act(page);
  // The caret blinks, and colors and references come after the text.
  await page.waitForTimeout(1500);
  await page.screenshot({ path: path.join(ROOT, `docs/images/${name}.png`), caret: "hide" });
  await page.close();
}

if (import.meta.main) {
  const executablePath = findProgram("chromium");
  if (executablePath === undefined) throw new Error("chromium is not on the PATH");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    await withServer(async (url, key) => {
      // oxlint-disable-next-line no-await-in-loop -- one browser
      for (const picture of PICTURES) await take(browser, picture, { url, key });
    });
  } finally {
    await browser.close();
  }
}
