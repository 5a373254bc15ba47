/** Negative if `a` is older than `b`, 0 if both are the same version (semver.org, without build metadata). */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [partsOf(a), partsOf(b)];
  for (const [index, number] of first.numbers.entries()) {
    const difference = number - (second.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // A pre-release comes before its release.
  if (first.preview === "" || second.preview === "")
    return (first.preview === "" ? 1 : 0) - (second.preview === "" ? 1 : 0);
  return first.preview.localeCompare(second.preview, "en", { numeric: true });
}

function partsOf(version: string): {
  readonly numbers: readonly number[];
  readonly preview: string;
} {
  const [, core = "", preview = ""] = /^([\d.]+)(?:-(.*))?$/.exec(version) ?? [];
  return { numbers: core.split(".").map(Number), preview };
}
