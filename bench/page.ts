// Measures how long the page of `svc serve` takes to show a file of 10,000 lines and one of 100 lines, and the
// references of a common name and of a rare one. It uses Chromium on this machine.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium, type Page } from "playwright-core";

import { findProgram } from "../scripts/testing/requirements.ts";
import { comparedInPairs, publish, type Report, type Row } from "./report.ts";
import { homesIn, runSvc, SVC } from "./workspace.ts";

const LONG_LINES = 10_000;
const SHORT_LINES = 100;
const USES = 2000;

/** Prints a table, and returns a sentence for each missed budget. Needs Chromium. */
export async function pageLatency(rounds: number): Promise<readonly string[]> {
  const executablePath = findProgram("chromium");
  if (executablePath === undefined) throw new Error("chromium is not on the PATH");
  const base = mkdtempSync(join(tmpdir(), "svc-page-"));
  const root = join(base, "pages");
  mkdirSync(root);
  writeFileSync(join(root, "long.ts"), code(LONG_LINES, "long"));
  writeFileSync(join(root, "short.ts"), code(SHORT_LINES, "short"));
  const calls = "long0(1);\n".repeat(USES);
  writeFileSync(
    join(root, "use.ts"),
    `import { long0, long1 } from "./long.ts";\n${calls}long1(1);\n`,
  );
  const env = homesIn(base)();
  runSvc(["index", root], env);
  const words = ["auth", "keys", "create", "--name", "bench", "--namespace", "pages"];
  const key = execFileSync(SVC, words, {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const server = spawn(SVC, ["serve", "--root", root, "--port", "0"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const url = await addressOf(server.stderr);
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(url);
    await page.getByLabel("API key").fill(key.trim());
    await page.keyboard.press("Enter");
    await page.locator("#query").waitFor();
    return publish(await report(page, rounds));
  } finally {
    await browser.close();
    server.kill();
    await once(server, "exit");
    rmSync(base, { recursive: true, force: true });
  }
}

/** A module of about this many lines. */
function code(lines: number, name: string): string {
  const one = (at: number): string =>
    `/** Turns ${at}. */\nexport function ${name}${at}(a: number) {\n  return a + ${at};\n}\n\n`;
  return Array.from({ length: lines / 5 }, (_, at) => one(at)).join("");
}

async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  let said = "";
  for await (const part of stderr) {
    said += String(part);
    const [address] = /http:\/\/[\d.:]+\d/.exec(said) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`the server has ended: ${said}`);
}

async function report(page: Page, rounds: number): Promise<Report> {
  const [long, short, common, rare]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round <= rounds; round += 1) {
    // They run one after the other on purpose: in parallel they would slow each other down.
    const opened = [await openMs(page, "long.ts"), await openMs(page, "short.ts")] as const;
    const found = [await panelMs(page, 2), await panelMs(page, 7)] as const;
    // The first round loads the grammars and the graph.
    if (round === 0) continue;
    for (const [at, list] of [long, short].entries()) list.push(opened[at] ?? Number.NaN);
    for (const [at, list] of [common, rare].entries()) list.push(found[at] ?? Number.NaN);
  }
  const shortRow = row(`open ${SHORT_LINES} lines`, short);
  const rareRow = row("references of a rare name", rare);
  return {
    bench: "page",
    corpus: `a file of ${LONG_LINES} lines and 2,000 definitions, and ${USES} uses of one`,
    rows: [
      shortRow,
      comparedInPairs({ ...row(`open ${LONG_LINES} lines`, long), target: "150 ms" }, shortRow),
      rareRow,
      comparedInPairs({ ...row("references of a common name", common), target: "300 ms" }, rareRow),
    ],
    facts: [],
  };
}

function row(name: string, samples: readonly number[]): Row {
  return { name, unit: "ms", samples };
}

/** Milliseconds from the change of the address until the browser has painted the text of the file. */
async function openMs(page: Page, file: string): Promise<number> {
  await page.evaluate("location.hash = '#file=/'");
  await page.locator(".folder-table").waitFor();
  const ms: number = await page.evaluate(`new Promise((resolve) => {
    const start = performance.now();
    const look = () => {
      if (document.title.startsWith(${JSON.stringify(file)})) {
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
      } else setTimeout(look);
    };
    location.hash = "#file=${file}";
    look();
  })`);
  return ms;
}

/** Milliseconds from a click on a function name until the page shows its references. */
async function panelMs(page: Page, line: number): Promise<number> {
  await page.evaluate(`location.hash = "#file=long.ts:${line}"`);
  const name = page.locator(".marked .function").first();
  await name.waitFor();
  const ms: number = await page.evaluate(`new Promise((resolve) => {
    const panel = document.getElementById("name-panel");
    panel.replaceChildren();
    const start = performance.now();
    const look = () => {
      if (panel.querySelector(".references .muted") !== null) {
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
      } else setTimeout(look);
    };
    const name = document.querySelector(".marked .function");
    const { left, top } = name.getBoundingClientRect();
    name.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: left + 3, clientY: top + 3 }));
    look();
  })`);
  return ms;
}
