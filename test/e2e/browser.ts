// Chromium, and pages that record what a page must not do.
import axe from "axe-core";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

import { findProgram } from "../../scripts/testing/requirements.ts";

/** How long to wait for a condition: less than a test may take, and more than a busy machine needs. */
export const LONG_TIMEOUT_MS = 25_000;

/** A name that only this browser knows and resolves to this machine. */
export const PUBLIC_NAME = "code.example.org";

/** The features that Playwright disables. Chromium uses only the last list, so ours must repeat them. */
const DISABLED_BY_PLAYWRIGHT = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
];

/** The suggestions of the address bar, two internal pages in each window, which take longer to load than ours. */
const ADDRESS_BAR = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

export function launch(): Promise<Browser> {
  const executablePath = findProgram("chromium");
  if (executablePath === undefined) throw new Error("chromium is not on the PATH");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      `--host-resolver-rules=MAP ${PUBLIC_NAME} 127.0.0.1`,
      `--disable-features=${[...DISABLED_BY_PLAYWRIGHT, ...ADDRESS_BAR].join(",")}`,
    ],
  });
}

export interface Watched {
  readonly page: Page;
  /** Directives of the Content-Security-Policy that blocked a request. */
  readonly violations: () => Promise<readonly string[]>;
  /** Errors of scripts. */
  readonly faults: readonly string[];
  /** Addresses of all requests. */
  readonly requests: readonly string[];
}

/** A page in a fresh browser profile; it closes with the test. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    ignoreHTTPSErrors: true,
    ...options,
  });
  context.setDefaultTimeout(LONG_TIMEOUT_MS);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  page.on("pageerror", ({ message }) => void faults.push(message));
  page.on("request", (request) => void requests.push(request.url()));
  await page.addInitScript(WATCH);
  await page.goto(url);
  return {
    page,
    faults,
    requests,
    violations: () => page.evaluate("globalThis.violations"),
  };
}

const WATCH = `
  globalThis.violations = [];
  addEventListener("securitypolicyviolation", (event) =>
    globalThis.violations.push(event.effectiveDirective));
`;

/** The problems that axe finds on the current page: "rule: elements". */
export async function findings(page: Page): Promise<readonly string[]> {
  // Not as an element of the page, because its policy would refuse it. The script has half a megabyte, so it loads once
  // per page.
  if (await page.evaluate("globalThis.axe === undefined")) {
    await page.evaluate(`(() => { ${axe.source} })()`);
  }
  return page.evaluate(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`,
  );
}
