/** How `file` differs from `made`; undefined if both are the same. */
export function difference(file: Uint8Array, made: Uint8Array): string | undefined {
  if (file.length !== made.length) return `it has ${file.length} bytes, not ${made.length}`;
  let count = 0;
  let first = -1;
  for (let i = 0; i < made.length; i++) {
    if (file[i] === made[i]) continue;
    if (count === 0) first = i;
    count += 1;
  }
  return count === 0 ? undefined : `${count} of ${made.length} bytes differ, the first at ${first}`;
}
