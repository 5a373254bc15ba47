// Runs universal-ctags for the definitions in some files.
import { spawnSync } from "node:child_process";
import path from "node:path";

import * as v from "valibot";

import type { Tag } from "./tag.ts";

const LINE = v.object({
  _type: v.literal("tag"),
  name: v.string(),
  path: v.string(),
  line: v.number(),
  kind: v.string(),
  scope: v.optional(v.string()),
  scopeKind: v.optional(v.string()),
});

/**
 * Its default kinds, and prototypes in C and C++, because a header has nothing else; `files` are relative to
 * `tree`. Throws if `ctags` is missing or fails.
 */
export function readCtags(
  tree: string,
  files: readonly string[],
  { language, extensions }: { language: string; extensions: readonly string[] },
): readonly Tag[] {
  const patterns = extensions.map((extension) => `.${extension}`).join("");
  const kinds = language === "C" || language === "C++" ? [`--kinds-${language}=+px`] : [];
  const args = spawnSync(
    "ctags",
    [
      "--options=NONE",
      `--languages=${language}`,
      `--langmap=${language}:${patterns}`,
      "--output-format=json",
      "--fields=+neKs",
      "--sort=no",
      ...kinds,
      "-f",
      "-",
      "-L",
      "-",
    ],
    { cwd: tree, input: files.join("\n"), encoding: "utf8", maxBuffer: 1 << 30 },
  );
  if (args.error !== undefined) throw args.error;
  if (args.status !== 0) throw new Error(`ctags failed: ${args.stderr}`);
  return args.stdout.split("\n").flatMap((line) => tagOf(line) ?? []);
}

function tagOf(line: string): Tag | undefined {
  if (!line.startsWith("{")) return undefined;
  const parsed = v.safeParse(LINE, JSON.parse(line));
  if (!parsed.success) return undefined;
  const { name, kind, line: at, scope, scopeKind } = parsed.output;
  return {
    path: path.normalize(parsed.output.path),
    name,
    kind,
    line: at,
    ...(scope !== undefined && { scope }),
    ...(scopeKind !== undefined && { scopeKind }),
  };
}
