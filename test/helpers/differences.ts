/**
 * The first places where two values differ, as "path: one, other"; numbers are compared by `Object.is`. Members that are
 * undefined count as absent.
 */
export function differences(one: unknown, other: unknown, place = "it"): readonly string[] {
  if (Object.is(one, other)) return [];
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
    return [`${place}: ${show(one)}, ${show(other)}`];
  }
  const found: string[] = [];
  // Keys without their values: most values are equal, and creating a pair for each takes longer than the comparison.
  for (const key of Object.keys(one)) {
    const left: unknown = Reflect.get(one, key);
    const right: unknown = Reflect.get(other, key);
    // Nearly all values are equal, and equal ones need no text for their place.
    if (Object.is(left, right)) continue;
    found.push(...differences(left, right, `${place}.${key}`));
  }
  for (const key of Object.keys(other)) {
    if (Object.hasOwn(one, key)) continue;
    found.push(...differences(undefined, Reflect.get(other, key), `${place}.${key}`));
  }
  return found.slice(0, 5);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
