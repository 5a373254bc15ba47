/**
 * The first places where two values differ, as "path: one, other"; numbers are compared by `Object.is`. Members that are
 * undefined count as absent.
 */
export function differences(one: unknown, other: unknown, place = "it"): readonly string[] {
  if (Object.is(one, other)) return [];
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
    return [`${place}: ${show(one)}, ${show(other)}`];
  }
  const [left, right] = [membersOf(one), membersOf(other)];
  const keys = new Set([...left.keys(), ...right.keys()]);
  return [...keys]
    .flatMap((key) => differences(left.get(key), right.get(key), `${place}.${key}`))
    .slice(0, 5);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function membersOf(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined));
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
