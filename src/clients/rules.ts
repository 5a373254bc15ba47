// The part of a client's file of rules that svc writes on request, between two marks. Everything outside of them belongs to
// the user, and so does a part that the user has changed: the first mark has the checksum of what svc wrote.

import { createHash } from "node:crypto";
import { rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";

import { SvcError } from "../base/errors.ts";
import {
  ConcurrentChangeError,
  readConfigFile,
  requireWritable,
  writeConfigFile,
  type ConfigFile,
} from "./config-file.ts";
import { RULES_DESCRIPTION, RULES_TEXT } from "./rules-text.ts";
import type { RulesTarget } from "./rules-target.ts";

export interface RulesResult {
  /** `kept`: the user has changed the part, so it stays as it is. */
  readonly state: "added" | "changed" | "unchanged" | "kept" | "removed" | "absent";
  readonly path: string;
}

const PART = /<!-- svc:begin (?<sum>[0-9a-f]{16}) -->\n(?<body>[^]*?)\n<!-- svc:end -->\n?/;

const HEADS = {
  skill: `---\nname: svc\ndescription: ${RULES_DESCRIPTION}\n---\n\n`,
  rule: `---\ndescription: ${RULES_DESCRIPTION}\nalwaysApply: false\n---\n\n`,
  section: "",
} as const;

/** Writes or updates the part. Throws CLIENT_CONFIG; then nothing is changed. */
export function installRules({ path, below, form }: RulesTarget): RulesResult {
  const file = readConfigFile(path, below);
  const text = Buffer.from(file.bytes).toString();
  const present = PART.exec(text);
  const part = partOf(RULES_TEXT);
  if (present === null) {
    if (text.trim() !== "" && form !== "section") {
      throw new SvcError("CLIENT_CONFIG", `${path} exists, and svc did not write it.`, {
        hint: "Move it to another place, or omit --with-rules.",
      });
    }
    write(
      file,
      text === "" ? HEADS[form] + part : `${text.endsWith("\n") ? text : `${text}\n`}\n${part}`,
    );
    return { state: "added", path };
  }
  if (isEdited(present)) return { state: "kept", path };
  if (present[0].trimEnd() === part.trimEnd()) return { state: "unchanged", path };
  write(
    file,
    text.replace(PART, () => part),
  );
  return { state: "changed", path };
}

/** Removes the part, and the file if nothing else is in it. Throws CLIENT_CONFIG; then nothing is changed. */
export function uninstallRules({ path, below, form }: RulesTarget): RulesResult {
  const file = readConfigFile(path, below);
  const text = Buffer.from(file.bytes).toString();
  const present = PART.exec(text);
  if (present === null) return { state: "absent", path };
  if (isEdited(present)) return { state: "kept", path };
  // An empty line was put before the part.
  const before = text.slice(0, present.index).replace(/\n\n$/, "\n");
  const rest = before + text.slice(present.index + present[0].length);
  if (rest.trim() === "" || rest.trim() === HEADS[form].trim()) {
    requireWritable(file);
    rmSync(file.target);
    // In a file of svc's own, the previous content was svc's, too.
    if (form !== "section") rmSync(`${file.target}.svc-backup`, { force: true });
    if (form === "skill") removeEmptyFolder(dirname(file.target));
  } else write(file, rest);
  return { state: "removed", path };
}

function partOf(body: string): string {
  return `<!-- svc:begin ${sumOf(body)} -->\n${body}\n<!-- svc:end -->\n`;
}

function isEdited({ groups }: RegExpExecArray): boolean {
  return groups?.["sum"] !== sumOf(groups?.["body"] ?? "");
}

function sumOf(body: string): string {
  return createHash("sha256").update(body).digest("hex").slice(0, 16);
}

function write(file: ConfigFile, text: string): void {
  try {
    writeConfigFile(file, text, 0o644);
  } catch (thrown) {
    if (!(thrown instanceof ConcurrentChangeError)) throw thrown;
    throw new SvcError("CLIENT_CONFIG", `${file.target} was written by another program.`, {
      hint: "Try again; nothing was changed.",
    });
  }
}

function removeEmptyFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The user has other files in it.
  }
}
