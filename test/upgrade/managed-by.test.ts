import { expect, test } from "vitest";

import { requireOwnFile } from "../../src/upgrade/managed-by.ts";
import { needs } from "../helpers/needs.ts";

const NEVER = new AbortController().signal;

function refusal(manager: string, remedy: string): object {
  const detail = `This svc was installed with ${manager}. Run \`${remedy}\` instead.`;
  return { code: "UPGRADE_FAILED", detail };
}

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
    ["/lib/node_modules/svc/lib/boot.cjs"],
    "npm install --global svc@latest",
  ],
  ["git", "/usr/bin/node", ["/home/ann/svc/src/main.ts"], "git pull && npm run build"],
  ["Homebrew", "/opt/homebrew/Cellar/svc/1.2.3/bin/svc", [], "brew upgrade svc"],
])("a program of %s is refused with its command: %s %s", async (manager, command, args, remedy) => {
  await expect(requireOwnFile({ command, args }, NEVER)).rejects.toMatchObject(
    refusal(manager, remedy),
  );
});

test("a file of its user is accepted", async () => {
  const own = requireOwnFile({ command: import.meta.filename, args: [] }, NEVER);
  await expect(own).resolves.toBeUndefined();
});

needs(["dpkg"], () => {
  test("a file of a Debian package is refused", async () => {
    await expect(
      requireOwnFile({ command: "/usr/bin/dpkg", args: [] }, NEVER),
    ).rejects.toMatchObject(refusal("dpkg", "sudo apt-get install ./svc_VERSION_ARCHITECTURE.deb"));
  });
});
