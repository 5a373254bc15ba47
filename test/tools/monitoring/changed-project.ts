// A project whose changes list_changes reports.
import { onTestFinished } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { Principal } from "../../../src/sources/principal.ts";
import { createProject, type Project } from "../../helpers/project.ts";

export interface Change {
  readonly change: string;
  readonly path: string;
  readonly old_path?: string;
  readonly symbols?: readonly Readonly<Record<string, unknown>>[];
  readonly hits?: readonly Readonly<Record<string, unknown>>[];
}

export interface Changes {
  readonly changes: readonly Change[];
  readonly next_cursor: string;
  readonly has_more: boolean;
  readonly reset?: true;
  readonly known_since?: string;
}

/** Each run is a thread, and some are slow while many workers run. */
export const LONG_TIMEOUT = { timeout: 120_000 };

export const FILES = {
  "src/a.ts": "export function open(path: string): void {\n  log(path);\n}\n",
  "src/b.ts":
    "import { open } from './a.ts';\n\nexport class Session {\n  start(): void {\n    open('x');\n  }\n}\n",
};

export function indexedProject(options: Parameters<typeof createProject>[1] = {}): Project {
  const one = createProject(FILES, options);
  onTestFinished(one.dispose);
  return one;
}

/** All changes up to now, without a time limit, so that a busy machine does not fail the test. */
export async function changes(
  of: Pick<Project, "tool" | "engine">,
  input: Readonly<Record<string, unknown>> = {},
  caller?: Principal,
): Promise<Changes> {
  if (!("wait_ms" in input)) {
    await of.engine.index({ principal: owner(), signal: new AbortController().signal });
  }
  const { outcome } = await of.tool("list_changes", input, caller);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape under test
  return outcome.structured as unknown as Changes;
}

export async function refusal(
  of: Project,
  name: string,
  input: unknown,
  caller?: Principal,
): Promise<string> {
  const thrown: unknown = await of.tool(name, input, caller).catch((error: unknown) => error);
  if (thrown instanceof SvcError) return `${thrown.code}: ${thrown.detail}`;
  throw new Error("it was not refused", { cause: thrown });
}

export function owner(): Principal {
  return new Principal({ id: "local", namespaces: "all", readOnly: false });
}
