import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { requireOwnFile } from "../../src/upgrade/managed-by.ts";

const BASE = mkdtempSync(join(tmpdir(), "svc-managed-"));
const LIST = join(BASE, "svc.list");
writeFileSync(LIST, "/.\n/usr\n/usr/bin\n/usr/bin/svc\n");
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

test.each([
  [
    "npm",
    "/usr/lib/node_modules/svc/node_modules/svc-linux-x64/bin/svc",
    [],
    "npm install --global svc@latest",
  ],
  [
    "npm",
    "/usr/bin/node",
    ["/usr/lib/node_modules/svc/lib/boot.cjs"],
    "npm install --global svc@latest",
  ],
  ["git", "/usr/bin/node", ["/home/ann/svc/src/main.ts"], "git pull && npm run build"],
  ["Homebrew", "/opt/homebrew/Cellar/svc/1.2.3/bin/svc", [], "brew upgrade svc"],
  ["dpkg", "/usr/bin/svc", [], "sudo apt-get install ./svc_VERSION_ARCHITECTURE.deb"],
])("a program of %s is refused with its command: %s %s", (manager, command, args, remedy) => {
  expect(() => requireOwnFile({ command, args }, [LIST])).toThrow(
    expect.objectContaining({
      code: "UPGRADE_FAILED",
      detail: `This svc was installed with ${manager}. Run \`${remedy}\` instead.`,
    }),
  );
});

test("a file of its user is accepted, and one at another path than that of the Debian package", () => {
  requireOwnFile({ command: "/home/ann/.local/bin/svc", args: [] }, [LIST]);
  requireOwnFile({ command: "/usr/bin/svc", args: [] }, [join(BASE, "no.list")]);
  expect(() => requireOwnFile({ command: "/usr/bin/svc", args: [] }, [LIST])).toThrow("dpkg");
});
