// The scripts of `svc completions` in real shells, with the shipped program.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { outputHere } from "../spec/commands-here.ts";
import { createPlace, svc } from "../spec/program.ts";
import { needs } from "../helpers/needs.ts";

const SVC = join(import.meta.dirname, "../../dist/svc");
process.env["SVC_BIN"] = SVC;

const place = createPlace({ "src/a.ts": "export const a = 1;\n", "sample file.txt": "" });
const bin = join(place.home, "bin");
beforeAll(async () => {
  mkdirSync(bin);
  symlinkSync(SVC, join(bin, "svc"));
  await outputHere(place, "index", place.root, "--namespace", "backend");
});
afterAll(place.remove);

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, {
    cwd: place.root,
    encoding: "utf8",
    env: {
      PATH: `${bin}:${process.env["PATH"]}`,
      HOME: place.home,
      SERVICE_HOME: join(place.home, "data"),
      SERVICE_CONFIG_HOME: join(place.home, "config"),
      XDG_CONFIG_HOME: join(place.home, ".config"),
      TERM: "dumb",
      LANG: "C.UTF-8",
    },
  });
}

async function script(shell: string): Promise<string> {
  const { stdout, exit } = await svc(place, "completions", shell);
  expect(exit).toBe(0);
  const path = join(place.home, `completions.${shell}`);
  writeFileSync(path, stdout);
  return path;
}

/** The words of a line, the last one to be completed, and the expected candidates. */
const LINES: readonly (readonly [string, readonly string[]])[] = [
  ["svc se", ["search", "serve"]],
  ["svc auth token c", ["create"]],
  ["svc search --max", ["--max-tokens"]],
  ["svc search q --kind te", ["tests"]],
  ["svc search q --namespace ", ["backend"]],
  ["svc search q --language kotl", ["kotlin"]],
  ["svc config set colo", ["color"]],
  ["svc install curs", ["cursor"]],
  ["svc index s", ["src"]],
];

/** Runs the function as readline does, and prints its candidates. */
const bash = (path: string, words: readonly string[]): string =>
  run("bash", [
    "--norc",
    "-c",
    `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`,
    "bash",
    path,
    ...words,
  ]);

describe("bash", () => {
  test("completes commands, flags and values", async () => {
    const path = await script("bash");
    for (const [line, offered] of LINES) {
      expect([line, bash(path, line.split(" ")).trim().split("\n")]).toEqual([line, offered]);
    }
    expect(bash(path, ["svc", "search", "--kind", "=", "te"])).toBe("tests\n");
    expect(bash(path, ["svc", "outline", "sam"])).toBe("sample file.txt\n");
  });

  test("the script registers itself", async () => {
    const path = await script("bash");
    expect(run("bash", ["--norc", "-c", `source "${path}"; complete -p svc`])).toBe(
      "complete -F _svc svc\n",
    );
  });
});

needs(["fish"], () => {
  test("fish completes commands with their descriptions, flags and values", async () => {
    const path = await script("fish");
    const commands = LINES.map(([line]) => `echo "== ${line}"; complete -C "${line}"`).join("\n");
    const shown = run("fish", ["--no-config", "-c", `source ${path}\n${commands}`]);
    const answers = shown.split(/^== .*\n/m).slice(1);
    for (const [at, [line, offered]] of LINES.entries()) {
      const words = (answers[at] ?? "").trim().split("\n");
      const bare = words.map((word) => word.split("\t")[0]?.replace(/\/$/, ""));
      expect([line, new Set(bare)]).toEqual([line, new Set(offered)]);
    }
    expect(answers[0]).toContain("search\tSearch the index for code and documentation.");
  });
});

needs(["zsh"], () => {
  test("zsh completes commands with their descriptions, flags and values", async () => {
    const path = await script("zsh");
    const dump = join(place.home, "zcompdump");
    // A shell in a real terminal: only there does zsh complete anything. It reports when it edits a
    // line: earlier keys go to the terminal, for which Ctrl-U deletes the Tab as well.
    const driver = join(place.home, "drive.zsh");
    writeFileSync(
      driver,
      `zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell "PS1=; unset zle_bracketed_paste; autoload -Uz compinit; compinit -u -d ${dump}; source ${path}"
zpty -w shell "compadd() { local -a kept; builtin compadd -O kept \\"\\$@\\"; (( \\$#kept )) && print -l -- \\$kept >> ${place.home}/zsh-out; builtin compadd \\"\\$@\\"; }"
zpty -w shell "zstyle ':completion:*' verbose no; zle-line-init() { touch ${place.home}/editing }; zle -N zle-line-init"
for line in "$@"; do
  while [[ ! -e ${place.home}/editing ]]; do sleep 0.05; done
  rm ${place.home}/editing
  print -r -- "== $line" >> ${place.home}/zsh-out
  zpty -n -w shell "$line"$'\\t\\C-u\\n'
done
while [[ ! -e ${place.home}/editing ]]; do sleep 0.05; done
zpty -d shell
cat ${place.home}/zsh-out
`,
    );
    chmodSync(driver, 0o755);
    const shown = run("zsh", ["-f", driver, ...LINES.map(([line]) => line)]);
    const answers = shown.split(/^== .*\n/m).slice(1);
    for (const [at, [line, offered]] of LINES.entries()) {
      const words = (answers[at] ?? "").trim().split("\n");
      expect([line, new Set(words)]).toEqual([line, new Set(offered)]);
    }
  });
});

test("the script for PowerShell registers a completer that runs the program", async () => {
  // PowerShell is not installed here: only the form of the script is checked.
  const { stdout } = await svc(place, "completions", "powershell");
  expect(stdout).toContain("Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {");
  expect(stdout).toContain("complete powershell --");
  expect(stdout.split("{")).toHaveLength(stdout.split("}").length);
  const completion = await svc(place, "complete", "powershell", "--", "auth", "token", "=cr");
  expect(completion.stdout).toBe("create\tCreate an access token and print it once.\n");
});
