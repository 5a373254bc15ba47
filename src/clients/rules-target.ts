// The files of rules that clients read. Claude Code: code.claude.com/docs/en/skills; Cursor: cursor.com/docs/context/rules;
// Codex: developers.openai.com/codex/guides/agents-md; Gemini CLI: its docs/cli/gemini-md.md; opencode: opencode.ai/docs/rules.

import { join } from "node:path";

import { SvcError } from "../base/errors.ts";
import { expandTemplate, type ClientMachine } from "./client-paths.ts";
import type { ConfigTarget } from "./config-target.ts";
import type { InstallScope, PathTemplate } from "./definitions.ts";

/** `section`: the file has other rules, too. The others are files of svc's own. */
type RulesForm = "rule" | "section" | "skill";

export interface RulesTarget {
  readonly path: string;
  readonly form: RulesForm;
  /** Root of the project that symbolic links must not lead out of. */
  readonly below: string | undefined;
}

interface RulesFile {
  readonly form: RulesForm;
  /** For a project, relative to its root. */
  readonly path: PathTemplate;
  /** As in `UserConfigFiles`. */
  readonly moved?: { readonly variable: string; readonly file: string };
}

/**
 * By the id of the client. Files of a project that several clients read have no row: removing svc from one client would
 * remove the rules of another.
 */
export const RULES_FILES: Readonly<
  Record<string, Partial<Readonly<Record<InstallScope, RulesFile>>>>
> = {
  "claude-code": {
    user: {
      form: "skill",
      path: "~/.claude/skills/svc/SKILL.md",
      moved: { variable: "CLAUDE_CONFIG_DIR", file: "skills/svc/SKILL.md" },
    },
    project: { form: "skill", path: ".claude/skills/svc/SKILL.md" },
  },
  cursor: { project: { form: "rule", path: ".cursor/rules/svc.mdc" } },
  codex: {
    user: {
      form: "section",
      path: "~/.codex/AGENTS.md",
      moved: { variable: "CODEX_HOME", file: "AGENTS.md" },
    },
  },
  gemini: {
    user: {
      form: "section",
      path: "~/.gemini/GEMINI.md",
      moved: { variable: "GEMINI_CLI_HOME", file: ".gemini/GEMINI.md" },
    },
  },
  opencode: { user: { form: "section", path: "$CONFIG/opencode/AGENTS.md" } },
};

/** The file of rules that belongs to a configuration; undefined if the client has none for it. */
export function rulesTarget(
  { client, scope, below }: Pick<ConfigTarget, "client" | "scope" | "below">,
  machine: ClientMachine,
): RulesTarget | undefined {
  const file = RULES_FILES[client.id]?.[scope];
  if (file === undefined) return undefined;
  const { form, path, moved } = file;
  if (below !== undefined) return { path: join(below, path), form, below };
  const folder = moved === undefined ? undefined : machine.env[moved.variable];
  const place =
    moved !== undefined && folder !== undefined && folder.startsWith("/")
      ? join(folder, moved.file)
      : expandTemplate(path, machine);
  return { path: place, form, below };
}

/** Throws USAGE if the client has no file of rules for this configuration. */
export function requireRulesTarget(
  target: Pick<ConfigTarget, "client" | "scope" | "below">,
  machine: ClientMachine,
): RulesTarget {
  const found = rulesTarget(target, machine);
  if (found !== undefined) return found;
  const { client, scope } = target;
  const able = Object.entries(RULES_FILES)
    .filter(([, files]) => files[scope] !== undefined)
    .map(([id]) => id);
  const where = scope === "project" ? "for a single project" : "for all projects";
  throw new SvcError("USAGE", `${client.name} has no rules file ${where} that svc knows.`, {
    hint: `Omit --with-rules. These clients have one: ${able.join(", ")}.`,
  });
}
