// Environment variables: where code reads one, and where a configuration gives it a value.

import { isEnvironmentFile } from "../../base/environment-file.ts";
import { isInComment, lineNumbers, type NamedText } from "./named-text.ts";
import type { SharedName } from "./shared-name.ts";

const NAME = String.raw`[A-Za-z_]\w{0,80}`;
/** Functions of many languages whose first argument is the name of a variable. */
const FUNCTIONS =
  "getenv|secure_getenv|Getenv|LookupEnv|Setenv|Unsetenv|setenv|unsetenv|putenv|GetEnvironmentVariable|" +
  String.raw`SetEnvironmentVariable|get_env|fetch_env!?|env::var|env::var_os|env::set_var|option_env!|env!|` +
  String.raw`environ\.(?:get|setdefault|pop)|ENV\.(?:fetch|key\?|delete)|env\.(?:get|has)`;
const READ = new RegExp(
  String.raw`(?:\b(?:process\.env|import\.meta\.env|Bun\.env)(?:\?)?(?:\.(${NAME})|(?:\?\.)?\[\s*["'\x60](${NAME})["'\x60]\s*\])` +
    String.raw`|\b(?:${FUNCTIONS})\s*\(\s*["'](${NAME})["']` +
    String.raw`|\b(?:environ|ENV|_ENV|environment)\s*\[\s*["'](${NAME})["']\s*\]` +
    // A function of the project's own: `mustMapEnv(&address, "CART_ADDR")`, Laravel's `env("APP_KEY")`; a tag of a Go structure: `env:"PORT"`.
    String.raw`|(?:[Ee]nv|ENV)\w*\s*\((?:[^()"'\n]{0,60},\s*)?["']([A-Z][A-Z0-9]*_[A-Z0-9_]+|PORT|HOST|HOME|PATH|DEBUG)["']` +
    String.raw`|\benv(?:config)?:"(${NAME})` +
    String.raw`|\$env:(${NAME}))`,
  "g",
);
/** `const { HOST, PORT = "80" } = process.env`. */
const TAKEN_APART = /\{([^{}]{1,500})\}\s*=\s*(?:process|import\.meta|Bun)\.env\b/g;

const ASSIGNED = new RegExp(String.raw`^[ \t]*(?:export[ \t]+)?(${NAME})=`, "gm");
const EXPORTED = new RegExp(String.raw`^[ \t]*export[ \t]+(${NAME})=`, "gm");
const IN_DOCKERFILE = new RegExp(String.raw`^[ \t]*(?:ENV|ARG)[ \t]+(${NAME})(?:[ \t]|=|$)`, "gim");
/** The key of a block with variables in YAML: of Compose, GitHub, Kubernetes, Helm. */
const BLOCK =
  /^([ \t]*(?:-[ \t]+)?)(?:environment|env|envs|env_vars|envVars|variables)[ \t]*:[ \t]*(?:#.*)?$/;
const IN_BLOCK = new RegExp(
  String.raw`^[ \t]*(?:-[ \t]+)?(?:name[ \t]*:[ \t]*["']?(${NAME})["']?[ \t]*(?:#.*)?$|["']?([A-Z_][A-Z0-9_]*)["']?[ \t]*[:=])`,
);

/** Returns the environment variables of a text that is not prose. */
export function environmentVariablesIn(file: NamedText): SharedName[] {
  const { text, language, baseName } = file;
  const found: SharedName[] = [];
  if (/[Ee]nv|ENV/.test(text)) {
    collect(file, READ, { isDeclared: false, into: found });
    collectTakenApart(file, found);
  }
  if (isEnvironmentFile(baseName)) {
    collect(file, ASSIGNED, { isDeclared: true, into: found });
  } else if (/^(?:dockerfile|containerfile)|\.dockerfile$/i.test(baseName)) {
    collect(file, IN_DOCKERFILE, { isDeclared: true, into: found });
  } else if (language === "bash") {
    collect(file, EXPORTED, { isDeclared: true, into: found });
  } else if (language === "yaml") {
    collectInYaml(file, found);
  }
  return found;
}

interface Collected {
  readonly isDeclared: boolean;
  readonly into: SharedName[];
}

function collect(file: NamedText, pattern: RegExp, { isDeclared, into }: Collected): void {
  const lineAt = lineNumbers(file.text);
  for (const match of file.text.matchAll(pattern)) {
    const name = match.slice(1).find((group) => group !== undefined);
    if (name === undefined || isInComment(file, match.index)) continue;
    into.push({ kind: "env", name, line: lineAt(match.index), isDeclared });
  }
}

function collectTakenApart(file: NamedText, into: SharedName[]): void {
  const lineAt = lineNumbers(file.text);
  for (const match of file.text.matchAll(TAKEN_APART)) {
    let at = match.index + 1;
    for (const part of (match[1] ?? "").split(",")) {
      const name = /^\s*([A-Za-z_]\w*)/.exec(part);
      if (name?.[1] !== undefined) {
        const line = lineAt(at + name[0].length - 1);
        into.push({ kind: "env", name: name[1], line, isDeclared: false });
      }
      at += part.length + 1;
    }
  }
}

function collectInYaml({ text }: NamedText, into: SharedName[]): void {
  if (!/\b(?:env|environment|envs|env_vars|envVars|variables)[ \t]*:/.test(text)) return;
  let depth = -1;
  for (const [at, line] of text.split("\n").entries()) {
    const content = line.trimStart();
    if (content === "" || content.startsWith("#")) continue;
    const indent = line.length - content.length;
    // A list may begin at the same depth as its key.
    if (indent < depth || (indent === depth && !content.startsWith("-"))) depth = -1;
    const opened = BLOCK.exec(line)?.[1];
    const name = depth === -1 || opened !== undefined ? undefined : variableIn(line);
    // The column of the key, also behind the dash of a list.
    if (opened !== undefined) depth = opened.length;
    if (name !== undefined) into.push({ kind: "env", name, line: at + 1, isDeclared: true });
  }
}

function variableIn(line: string): string | undefined {
  const [, inList, asKey] = IN_BLOCK.exec(line) ?? [];
  return inList ?? asKey;
}
