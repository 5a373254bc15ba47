import type { ImpactResult } from "../api/impact.ts";
import { unresolvedFileUses, unresolvedUses } from "../symbols/unresolved-uses.ts";

/** What may explain that a named target has no users; empty if it has some. */
export async function impactHint(
  context: Parameters<typeof unresolvedUses>[0],
  { files, changedFiles, others }: Pick<ImpactResult, "files" | "changedFiles" | "others">,
  limits: Parameters<typeof unresolvedUses>[2],
): Promise<Pick<ImpactResult, "hint">> {
  const [target, ...more] = changedFiles;
  if (files.length > 0 || target === undefined || more.length > 0) return {};
  const { path, status, isWhole, symbols } = target;
  if (status !== "named") return {};
  const [symbol] = symbols;
  const hint = isWhole
    ? await unresolvedFileUses(context, path, limits)
    : symbol !== undefined &&
      (await unresolvedUses(context, { path, symbol, definitions: 1 + others.length }, limits));
  return typeof hint === "string" ? { hint } : {};
}
