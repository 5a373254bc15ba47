// Routes in annotations and attributes, which a class may begin: `@RequestMapping("/users")` of the class and
// `@GetMapping("/{id}")` of a method are `GET /users/{}`.

import { isComment, lineNumbers, type NamedText } from "./named-text.ts";
import { PARAMETER, routeOf, type SharedName } from "./shared-name.ts";

const METHODS = "Get|Post|Put|Patch|Delete|Head|Options";
/** Spring, JAX-RS, Micronaut, NestJS, Retrofit, ASP.NET, Symfony. */
const ANNOTATION = new RegExp(
  String.raw`(?:@|#\[|\[)(?<name>(?:${METHODS})(?:Mapping)?|Http(?:${METHODS})|RequestMapping|Controller|Path|Route|RoutePrefix|GET|POST|PUT|PATCH|DELETE|HEAD|All)\b(?:\(\s*(?<args>[^()]*(?:\([^()]*\)[^()]*)*)\))?`,
  "g",
);
const TEXT = /(?:^|[\s,{(=:])(?:(?<key>\w+)\s*[=:]\s*)?[{[]?\s*["'`](?<text>[^"'`\n]*)["'`]/g;
/** Keys of arguments that are no route. */
const OTHER_KEYS =
  /^(?:name|produces|consumes|params|headers|version|host|Name|Order|operationId|description|summary)$/;
const CLASS =
  /^\s*(?:(?:export|default|public|internal|private|protected|abstract|final|sealed|static|open|data|partial)\s+)*(?:class|interface|object|trait|record)\s+(?<name>\w+)/;
/** How many lines of further annotations may be before the class. */
const MAX_LINES = 40;

/** Django names its routes in a list: `path("users/<int:pk>/", views.user)`. */
const DJANGO = /\b(?:re_)?(?:path|url)\(\s*r?(["'])\^?([^"'\n]{1,200}?)\$?\1\s*,/g;

/** Returns the routes of annotations, and those of Django. */
export function annotatedRoutesIn(file: NamedText): SharedName[] {
  if (file.language === "python") return djangoRoutesIn(file);
  const { text } = file;
  if (
    !/(?:@|\[)(?:\w*Mapping|Controller|Path|Http\w+|Route|G[Ee][Tt]|P[Oo][Ss][Tt]|P[Uu][Tt]|D[Ee][Ll])/.test(
      text,
    )
  ) {
    return [];
  }
  const found: SharedName[] = [];
  const lineAt = lineNumbers(text);
  const all = [...text.matchAll(ANNOTATION)].filter(({ index }) => !isComment(file, index));
  let prefix = "";
  for (const [at, { index, 0: whole, groups: { name = "", args = "" } = {} }] of all.entries()) {
    const routes = routesIn(args);
    const class_ = classAfter(text, index + whole.length);
    if (class_ !== undefined) {
      const isPrefix = /^(?:RequestMapping|Controller|Path|Route|RoutePrefix)$/.test(name);
      if (isPrefix) prefix = prefixOf(routes[0] ?? "", class_);
      continue;
    }
    // A name alone is JAX-RS, where `@Path` is beside it; with a route it is a client of Retrofit.
    const isClient = /^[A-Z]{2,}$/.test(name) && routes.length > 0;
    const method = methodOf(name, args);
    if (method === undefined) continue;
    const [next] = all.slice(at + 1, at + 2);
    const [last] = at > 0 ? all.slice(at - 1, at) : [];
    const beside =
      name === name.toUpperCase() && routes.length === 0
        ? pathBeside(text, index, [last, next])
        : undefined;
    for (const route of beside === undefined ? (routes.length === 0 ? [""] : routes) : [beside]) {
      const path = route.startsWith("~/") ? route.slice(1) : `${isClient ? "" : prefix}/${route}`;
      const shared = routeOf(method, path.replaceAll(/\/{2,}/g, "/"));
      if (shared === undefined) continue;
      found.push({ kind: "route", name: shared, line: lineAt(index), isDeclared: !isClient });
    }
  }
  return found;
}

/** The method of an annotation, "" for any; undefined if it only adds to another one. */
function methodOf(name: string, args: string): string | undefined {
  if (name === "RequestMapping" || name === "Route") {
    return /\b(?:RequestMethod\.|methods?\s*[:=]\s*[[{]?\s*["'])(\w+)/.exec(args)?.[1] ?? "";
  }
  if (/^(?:Controller|Path|RoutePrefix)$/.test(name)) return undefined;
  return name === "All" ? "" : name.replace(/^Http|Mapping$/g, "");
}

function routesIn(args: string): readonly string[] {
  return [...args.matchAll(TEXT)]
    .filter(({ groups: { key = "" } = {} }) => !OTHER_KEYS.test(key) && !/^methods?$/.test(key))
    .map(({ groups: { text = "" } = {} }) => text);
}

/** The name of the class that an annotation is of. */
function classAfter(text: string, offset: number): string | undefined {
  let start = text.indexOf("\n", offset);
  // Further arguments and annotations.
  for (let count = 0; start !== -1 && count < MAX_LINES; count += 1) {
    const end = text.indexOf("\n", start + 1);
    const line = text.slice(start + 1, end === -1 ? undefined : end);
    const name = CLASS.exec(line)?.groups?.["name"];
    if (name !== undefined) return name;
    if (!/^\s*(?:[@[#)}\]/*]|["'\w]+\s*[:=]|$)/.test(line)) return undefined;
    start = end;
  }
  return undefined;
}

/** `[controller]` of ASP.NET is the name of the class. */
function prefixOf(route: string, className: string): string {
  const name = className.replace(/Controller$/, "").toLowerCase();
  return `/${route.replaceAll("[controller]", name).replaceAll(/\[\w+\]/g, PARAMETER)}`;
}

/** The argument of a `@Path` directly before or after `@GET`. */
function pathBeside(
  text: string,
  index: number,
  others: readonly (RegExpMatchArray | undefined)[],
): string | undefined {
  for (const other of others) {
    if (other?.groups?.["name"] !== "Path") continue;
    const start = other.index ?? 0;
    const between =
      start < index ? text.slice(start + other[0].length, index) : text.slice(index, start);
    if (/[;{}]/.test(between)) continue;
    return routesIn(other.groups["args"] ?? "")[0];
  }
  return undefined;
}

function djangoRoutesIn(file: NamedText): SharedName[] {
  if (!/^urls\.py$/.test(file.baseName)) return [];
  const lineAt = lineNumbers(file.text);
  return [...file.text.matchAll(DJANGO)].flatMap((match): SharedName[] => {
    const path = (match[2] ?? "").replaceAll(/\(\?P<\w+>[^()]*\)|\([^()]*\)/g, PARAMETER);
    const name = routeOf(undefined, `/${path}`);
    if (name === undefined || isComment(file, match.index)) return [];
    return [{ kind: "route", name, line: lineAt(match.index), isDeclared: true }];
  });
}
