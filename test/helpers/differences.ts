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
  for (const [key, left] of Object.entries(one)) {
    const right: unknown = Reflect.get(other, key);
    // Nearly all are equal: their places need no text.
    if (Object.is(left, right)) continue;
    found.push(...differences(left, right, `${place}.${key}`));
  }
  for (const [key, right] of Object.entries(other)) {
    if (!Object.hasOwn(one, key)) found.push(...differences(undefined, right, `${place}.${key}`));
  }
  return found.slice(0, 5);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
