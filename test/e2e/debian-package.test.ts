// The Debian package with the built program: installed, used and removed in a copy of this system.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { completionScripts } from "../../scripts/release/channels/completions.ts";
import { buildDebianPackage, librariesOf } from "../../scripts/release/channels/debian.ts";
import { readProduct } from "../../scripts/release/channels/product.ts";
import { isHost } from "../../scripts/release/executables.ts";
import { TARGETS } from "../../scripts/release/targets.ts";
import { inCopiedSystem } from "../helpers/copied-system.ts";
import { needs } from "../helpers/needs.ts";

const ROOT = join(import.meta.dirname, "../..");
const SVC = join(ROOT, "dist/svc");
const BASE = mkdtempSync(join(tmpdir(), "svc-debian-"));
const PRODUCT = readProduct();
let completions: ReadonlyMap<string, string> = new Map();
beforeAll(() => {
  completions = completionScripts(SVC);
});
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

function build(executable: string, ...compression: readonly string[]): string {
  const target = TARGETS.find(isHost);
  if (target === undefined) throw new Error("nothing is released for this platform");
  const work = mkdtempSync(join(BASE, "work-"));
  const notices = "of others\n";
  return buildDebianPackage({
    target,
    executable,
    notices,
    completions,
    product: PRODUCT,
    work,
    compression,
  });
}

test("it asks for the libraries that the program is linked against", () => {
  expect(librariesOf(readFileSync(SVC))).toEqual([
    expect.stringMatching(/^libc6 \(>= 2\.(?:2\d|3\d)\)$/),
    "libgcc-s1 | libgcc1",
    expect.stringMatching(/^libstdc\+\+6 \(>= \d+\)$/),
  ]);
});

needs(["dpkg"], () => {
  test("two builds are the same file, under any umask", () => {
    const first = readFileSync(build("/bin/true", "-Zgzip"));
    const umask = process.umask(0o077);
    const second = readFileSync(build("/bin/true", "-Zgzip"));
    process.umask(umask);
    expect(first.equals(second)).toBe(true);
  });
});

needs(["dpkg", "lintian"], () => {
  test("it follows the rules that lintian checks", () => {
    const file = build("/bin/true", "-Zgzip");
    const args = ["--allow-root", "--fail-on", "error,warning", file];
    expect(execFileSync("lintian", args, { encoding: "utf8" })).toBe("");
  }, 120_000);
});

needs(["dpkg", "overlay"], () => {
  test("dpkg installs it; everything in it works for a user, the server is off, and removal leaves nothing", () => {
    const project = join(BASE, "project");
    mkdirSync(project);
    writeFileSync(
      join(project, "orbit.ts"),
      "/** Radius at which a satellite keeps its place over the ground. */\n" +
        "export function geostationaryRadius(mass: number): number {\n  return mass;\n}\n",
    );
    const file = build(SVC, "-Znone");
    const printed = inCopiedSystem(
      `
# Otherwise dpkg rebuilds the system's index of manual pages, twice: a third of the time of this test.
rm -f /var/lib/man-db/auto-update
dpkg -i ${file} >/dev/null
dpkg --verify svc
cp -r ${project} /srv/project
chmod -R a+rX /srv/project
svc --version
svc upgrade /tmp 2>&1 | grep -o 'installed with dpkg' || true
as_user() { setpriv --reuid=65532 --regid=65532 --clear-groups env HOME=/home/ann "$@"; }
install -d -o 65532 -g 65532 /home/ann
as_user svc search "geostationary radius" /srv/project --json | tr -d ' \\n' | grep -o '"symbol":"geostationaryRadius"'
bash -c 'source /usr/share/bash-completion/completions/svc; complete -p svc' | grep -o 'svc$'
gzip -dc /usr/share/man/man1/svc-search.1.gz | grep -c '^.TH SVC.*SEARCH 1 '
unit=/usr/lib/systemd/system/svc.service
sed -i '/^Documentation=/d' $unit
! command -v systemd-analyze >/dev/null || systemd-analyze verify $unit
find /etc/systemd -name svc.service | wc -l

# The server as the unit starts it, on another port.
mkfifo /tmp/log
command=$(sed -n 's/^ExecStart=//p' $unit)
export SVC_ROOT=/srv/project SERVICE_HOME=/home/ann/state SERVICE_CONFIG_HOME=/home/ann/state/config
eval "as_user $command --port 0 2>/tmp/log &"
while read -r line; do
  port=$(sed -n 's|.*http://127.0.0.1:\\([0-9]*\\).*|\\1|p' <<<"$line")
  [ -z "$port" ] || break
done </tmp/log
exec 3<>/dev/tcp/127.0.0.1/$port
printf 'GET /healthz HTTP/1.0\\r\\nHost: 127.0.0.1:%s\\r\\n\\r\\n' $port >&3
head -1 <&3 | tr -d '\\r'
kill %1

files=$(dpkg -L svc | while read -r one; do [ -d "$one" ] || echo "$one"; done)
dpkg --purge svc >/dev/null
for one in $files; do [ ! -e "$one" ] || echo "left: $one"; done
dpkg-query -W svc 2>/dev/null || echo removed
`,
      BASE,
    );
    expect(printed.trim().split("\n")).toEqual([
      PRODUCT.version,
      "installed with dpkg",
      '"symbol":"geostationaryRadius"',
      "svc",
      "1",
      "0",
      "HTTP/1.1 200 OK",
      "removed",
    ]);
  }, 120_000);
});
