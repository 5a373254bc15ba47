// npm run audit: checks the installed packages against the registry's advisories. Ends with 1 for an unexplained
// advisory, and with 2 if the registry cannot be reached: it needs the network, so no test and no check runs it.
import { spawnSync } from "node:child_process";
import path from "node:path";

/** Advisory (its page's last part, such as GHSA-…) -> why it does not concern svc. */
const EXPLAINED: Readonly<Record<string, string>> = {};

interface Advisory {
  readonly title: string;
  readonly url: string;
  readonly severity: string;
}

interface Report {
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly via: readonly (string | Advisory)[] }>
  >;
}

process.exitCode = main();

function main(): number {
  const { stdout } = spawnSync("npm", ["audit", "--json"], {
    cwd: path.join(import.meta.dirname, "../.."),
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const { vulnerabilities } = parsed(stdout);
  if (vulnerabilities === undefined) {
    console.error(`The registry's answer cannot be read:\n${stdout.slice(0, 1000)}`);
    return 2;
  }
  const found = Object.entries(vulnerabilities).flatMap(([name, { via }]) =>
    via.flatMap((one) => (typeof one === "string" ? [] : [{ name, ...one }])),
  );
  const open = found.filter(({ url }) => EXPLAINED[idOf(url)] === undefined);
  for (const { name, severity, title, url } of found) {
    const why = EXPLAINED[idOf(url)] ?? "NOT EXPLAINED";
    console.log(`${name} (${severity}): ${title}\n  ${url}\n  ${why}`);
  }
  console.log(`${found.length} advisories, ${open.length} unexplained`);
  return open.length === 0 ? 0 : 1;
}

function parsed(text: string): Report {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what npm prints; every member may be missing
    return JSON.parse(text) as Report;
  } catch {
    return {};
  }
}

function idOf(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}
