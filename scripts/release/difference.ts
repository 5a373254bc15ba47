/** How `file` differs from `made`; undefined if both are the same. */
export function difference(file: Uint8Array, built: Uint8Array): string | undefined {
  if (file.length !== built.length) return `it has ${file.length} bytes, not ${built.length}`;
  let count = 0;
  let first = -1;
  for (let i = 0; i < built.length; i++) {
    if (file[i] === built[i]) continue;
    if (count === 0) first = i;
    count += 1;
  }
  return count === 0
    ? undefined
    : `${count} of ${built.length} bytes differ, the first at ${first}`;
}
