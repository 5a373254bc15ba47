// Names that programs share outside any language: environment variables, HTTP routes and SQL tables. A file declares
// or uses them in texts, so that neither imports nor types lead from one to the other: all matches are by name.

import type { Use } from "../references/references.ts";

export const SHARED_KINDS = ["env", "route", "table"] as const;
export type SharedKind = (typeof SHARED_KINDS)[number];

/** A place that declares or uses a shared name. */
export interface SharedName {
  readonly kind: SharedKind;
  /** `DATABASE_URL`, `orders`, or a route: `GET /users/{}`, `/users/{}` for any method. */
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  /** True where the name is declared: the handler of a route, `CREATE TABLE`, a value in `.env.example`. */
  readonly isDeclared: boolean;
}

const DECLARED = "=";

/**
 * Returns the name of the use that stores a shared name: `/env/DATABASE_URL`, `/table/orders`. A route is stored under its
 * last fixed part, `/route/users`, because the routes that match it may have more parts before and other parameters. No
 * identifier begins with a slash.
 */
export function storedNameOf(kind: SharedKind, name: string): string {
  return `/${kind}/${kind === "route" ? lastFixedPart(name) : name}`;
}

/** Returns the use that stores a shared name. `owner`: the number of the innermost definition around it, or -1. */
export function useOfSharedName(shared: SharedName, owner: number): Use {
  const { kind, name, line, isDeclared } = shared;
  const receiver = `${isDeclared ? DECLARED : ""}${kind === "route" ? name : ""}`;
  const stored = storedNameOf(kind, name);
  return { name: stored, line, role: "value", owner, target: -1, binding: -1, receiver };
}

/** The name of the uses that store mounts. */
export const STORED_MOUNT = "/mount/";

/** A prefix under which a file serves the routes of another one: `app.use("/users", userRoutes)`. */
export interface Mount {
  readonly prefix: string;
  /** The expression that leads to the other file, `users.router`, or its module in quotes, `"./users"`. */
  readonly served: string;
  /** 1-based. */
  readonly line: number;
}

/** Returns the use that stores a mount. */
export function useOfMount({ prefix, served, line }: Mount): Use {
  const receiver = `${prefix} ${served}`;
  return { name: STORED_MOUNT, line, role: "value", owner: -1, target: -1, binding: -1, receiver };
}

/** Returns the mount that a use of that name stores. */
export function mountOf({ line, receiver }: Use): Mount {
  const space = receiver.indexOf(" ");
  return { prefix: receiver.slice(0, space), served: receiver.slice(space + 1), line };
}

/** Returns a route below a prefix: `/users` and `GET /{}` are `GET /users/{}`. */
export function mountedRoute(prefix: string, route: string): string {
  const { method, path } = routeParts(route);
  return `${method === "" ? "" : `${method} `}${prefix}${path === "/" ? "" : path}`;
}

function routeParts(route: string): { readonly method: string; readonly path: string } {
  const { method = "", path = "" } = ROUTE.exec(route)?.groups ?? {};
  return { method, path };
}

/** Returns whether a use stores a shared name. */
export function isSharedUse({ name }: Pick<Use, "name">): boolean {
  return name.startsWith("/");
}

/** Returns the shared name that a use stores, or undefined. */
export function sharedNameOf({ name, line, receiver }: Use): SharedName | undefined {
  const kind = SHARED_KINDS.find((one) => name.startsWith(`/${one}/`));
  if (kind === undefined) return undefined;
  const isDeclared = receiver.startsWith(DECLARED);
  const own = isDeclared ? receiver.slice(DECLARED.length) : receiver;
  return { kind, name: kind === "route" ? own : name.slice(kind.length + 2), line, isDeclared };
}

/** Returns whether a route has only parameters. */
export function isMountable(route: string): boolean {
  return lastFixedPart(route) === "";
}

/** Returns whether two shared names of one kind mean the same. */
export function areSameShared(kind: SharedKind, one: string, other: string): boolean {
  return kind === "route" ? areSameRoutes(one, other) : one === other;
}

const ROUTE = /^(?:(?<method>[A-Z]+) )?(?<path>\/.*)$/;

/**
 * Routes are the same if their methods may be, and the parts of one are the last ones of the other: a server is often
 * mounted under a prefix that its routes do not show. A parameter matches any part, but one part must be the same text.
 */
function areSameRoutes(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.method !== "" && b.method !== "" && a.method !== b.method) return false;
  const [short, long] = a.parts.length <= b.parts.length ? [a.parts, b.parts] : [b.parts, a.parts];
  const rest = long.slice(long.length - short.length);
  const isAlike = short.every(
    (part, at) => part === rest[at] || part === PARAMETER || rest[at] === PARAMETER,
  );
  return isAlike && short.some((part, at) => part === rest[at] && part !== PARAMETER);
}

/** The placeholder for any parameter of a route. */
export const PARAMETER = "{}";

function partsOf(route: string): { readonly method: string; readonly parts: readonly string[] } {
  const { method, path } = routeParts(route);
  return { method, parts: path.split("/").filter((part) => part !== "") };
}

function lastFixedPart(route: string): string {
  return partsOf(route).parts.findLast((part) => part !== PARAMETER) ?? "";
}

/**
 * Returns a route in the form that is stored: `get`, `https://host/users/:id/?page=1` becomes `GET /users/{}`. Undefined
 * if the text is none, or has only parameters.
 */
export function routeOf(method: string | undefined, text: string): string | undefined {
  const route = mountableRouteOf(method, text);
  return route === undefined || lastFixedPart(route) === "" ? undefined : route;
}

/** Returns the same for a route that may have only parameters, because its server is mounted elsewhere: `GET /{}`. */
export function mountableRouteOf(method: string | undefined, text: string): string | undefined {
  const path = text
    .replace(/^[a-z][a-z+.-]*:\/\/(?:\$?\{[^}]*\}|[^/?#])*/i, "")
    .replace(/^(?:\$?\{[^}]*\}|%[sv])(?=\/)/, "")
    .replace(/[?#].*$/s, "");
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(routePart);
  if (parts.length > MAX_PARTS) return undefined;
  if (parts.some((part) => part !== PARAMETER && !FIXED_PART.test(part))) return undefined;
  const verb = (method ?? "").toUpperCase();
  return `${VERBS.has(verb) ? `${verb} ` : ""}/${parts.join("/")}`;
}

const MAX_PARTS = 12;
const FIXED_PART = /^[\w.~@!+,=&-]{1,80}$/;
const VERBS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

/** `search*` of a mock is the part `search`. */
function routePart(text: string): string {
  const part = text.replace(/(?<=\w)\*+$/, "");
  const isParameter =
    /[{}<>*$%()]/.test(part) ||
    part.startsWith(":") ||
    /^(?:\d+|[\da-f]{8}-[\da-f-]{27})$/i.test(part);
  return isParameter ? PARAMETER : part;
}
