/** Numbers in consecutive groups. */
export interface Groups {
  /** Index in `members` of each group's start, plus the end of the last. */
  readonly firsts: Uint32Array;
  readonly members: Uint32Array;
}

/**
 * Groups numbers and keeps their order. `groups[n]` is the group of `members[n]`, or of n if `members` is
 * undefined.
 */
export function grouped(
  groups: Uint32Array,
  members: Uint32Array | undefined,
  count: number,
): Groups {
  const firsts = new Uint32Array(count + 1);
  for (const group of groups) firsts[group + 1] = (firsts[group + 1] ?? 0) + 1;
  for (let group = 0; group < count; group += 1) {
    firsts[group + 1] = (firsts[group + 1] ?? 0) + (firsts[group] ?? 0);
  }
  const next = firsts.slice();
  const sorted = new Uint32Array(groups.length);
  for (let at = 0; at < groups.length; at += 1) {
    const group = groups[at] ?? 0;
    const place = next[group] ?? 0;
    sorted[place] = members === undefined ? at : (members[at] ?? 0);
    next[group] = place + 1;
  }
  return { firsts, members: sorted };
}

/** Returns the members of a group, as a view, not a copy. */
export function groupOf({ firsts, members }: Groups, group: number): Uint32Array {
  return members.subarray(firsts[group], firsts[group + 1]);
}
