// Validates a repository URL before git gets any of it: git treats words that begin with `-` as options, and
// has transports that run programs (`ext::`).

import { existsSync } from "node:fs";
import { basename, sep } from "node:path";

import { SvcError } from "../base/errors.ts";

/** A validated repository URL. */
export interface RepositoryUrl {
  /** The URL as passed to git; contains no secret. */
  readonly url: string;
  /** Branch, tag or commit; undefined for the repository's default branch. */
  readonly ref: string | undefined;
  /** Protocols that git may use for it, including those that the user's configuration may rewrite it to. */
  readonly protocols: readonly string[];
  /** The last part of its path without `.git`, valid as a folder name. */
  readonly name: string;
}

const SCHEME = /^([a-z][a-z0-9+.-]*):(?::|\/\/)/i;
/** `host:path` and `user@host:path`, the short form of ssh. One letter before the colon is a Windows drive. */
const SCP = /^(?:([^@/\\:\s]+)@)?(\[[0-9a-f:.]+\]|[^@/\\:\s]{2,}):(?!:)(.+)$/i;
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i;
const USER = /^[a-z0-9_][a-z0-9._-]*$/i;
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL_OR_SPACE = /[\u0000-\u0020\u007f-\u009f]/;
/** Valid names of refs and commits, except those with a special meaning for `git fetch`. */
const REF =
  /^(?![-+/.])(?!.*(?:\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)))[^\s~^:?*[\]\\]{1,250}(?<![/.])$/;

/**
 * The protocols that each protocol may be rewritten to, only by the user's configuration
 * (`url.<base>.insteadOf`).
 */
const PROTOCOLS: Readonly<Record<string, readonly string[]>> = {
  https: ["https", "ssh"],
  http: ["http", "https", "ssh"],
  ssh: ["ssh", "https"],
  git: ["git", "https", "ssh"],
  file: ["file"],
};

/** True for a text that is not a path on this machine. */
export function looksLikeUrl(text: string): boolean {
  return SCHEME.test(text) || (SCP.test(text) && !existsSync(text));
}

/** Returns the URL of a bare repository in a local folder. */
export function localRepository(
  folder: string,
  ref?: string,
  separator: string = sep,
): RepositoryUrl {
  const path = folder.replaceAll("%", "%25").replaceAll("#", "%23").replaceAll(" ", "%20");
  // `C:\repo.git` is `file:///C:/repo.git`.
  const drive = separator === "\\" && /^[a-z]:/i.test(path) ? "/" : "";
  return parseRepositoryUrl(`file://${drive}${path.split(separator).join("/")}`, ref);
}

/** Returns the path of a `file:` URL as git reads it; undefined for other URLs. Throws INVALID_PARAMS. */
export function repositoryFolder({ url }: Pick<RepositoryUrl, "url">): string | undefined {
  const path = /^file:\/\/(.*)$/is.exec(url)?.[1];
  if (path === undefined) return undefined;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    throw refused("The URL has a percent sign without two digits of UTF-8.", "Write %25 for it.");
  }
  return process.platform === "win32" ? decoded.replace(/^\/(?=[a-z]:)/i, "") : decoded;
}

/** Parses `URL` or `URL#ref`. Throws INVALID_PARAMS; the message never contains any part that may be secret. */
export function parseRepositoryUrl(text: string, wanted?: string): RepositoryUrl {
  const hash = text.indexOf("#");
  const url = hash === -1 ? text : text.slice(0, hash);
  const own = hash === -1 ? undefined : text.slice(hash + 1);
  if (own !== undefined && wanted !== undefined && own !== wanted) {
    throw refused("The URL names one ref and --ref another.", "Give one of them.");
  }
  const ref = own ?? wanted;
  if (ref !== undefined && !REF.test(ref)) {
    throw refused("The ref is not a valid branch, tag or commit.", "Write it as `URL#main`.");
  }
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase() ?? "ssh";
  const protocols = PROTOCOLS[scheme];
  if (protocols === undefined || /^[\w+.-]+::/.test(url)) {
    throw refused(
      "svc fetches repositories only over https, http, ssh, git and file.",
      "Use such a URL, or clone it yourself and index the folder.",
    );
  }
  if (CONTROL_OR_SPACE.test(url))
    throw refused("The URL contains blanks or control characters.", "Write a blank as %20.");
  requirePlain(scheme, url);
  return { url, ref, protocols, name: nameOf(url) };
}

function requirePlain(scheme: string, url: string): void {
  const { user, password, host, path } = partsOf(url);
  if (password || (user !== undefined && /^https?$/.test(scheme))) {
    throw refused(
      "The URL contains a user name or a secret, which svc neither stores nor passes on.",
      "Remove the part before the `@`: git asks its credential helper (`git help credentials`), or use ssh.",
    );
  }
  if (/[?]/.test(url)) {
    throw refused(
      "The URL contains a query, which may hold secrets.",
      "Remove the `?` and the rest.",
    );
  }
  const isNamed = scheme === "file" ? host === "" : HOST.test(host);
  if (!isNamed || (user !== undefined && !USER.test(user)) || path === "") {
    throw refused("This is not a repository URL.", "Use a URL that `git clone` accepts.");
  }
}

interface UrlParts {
  readonly user: string | undefined;
  readonly password: boolean;
  readonly host: string;
  readonly path: string;
}

function partsOf(url: string): UrlParts {
  const scp = SCHEME.test(url) ? null : SCP.exec(url);
  if (scp !== null) {
    const [, user, host = "", path = ""] = scp;
    return { user, password: false, host, path: path.startsWith("-") ? "" : path };
  }
  const rest = url.slice(url.indexOf("://") + 3);
  const slash = rest.indexOf("/");
  const authority = slash === -1 ? rest : rest.slice(0, slash);
  const path = slash === -1 ? "" : rest.slice(slash + 1);
  const at = authority.lastIndexOf("@");
  const [user, ...secret] = at === -1 ? [undefined] : authority.slice(0, at).split(":");
  const place = authority.slice(at + 1);
  const port = /:\d{1,5}$/.exec(place)?.[0] ?? "";
  const host = place.slice(0, place.length - port.length);
  return { user, password: secret.length > 0, host, path };
}

/** Returns host and path of an address that git accepts, without checking them. Undefined for a path of this machine. */
export function addressOf(
  url: string,
): { readonly host: string; readonly path: string } | undefined {
  if (!SCHEME.test(url) && !SCP.test(url)) return undefined;
  const { host, path } = partsOf(url);
  return { host, path };
}

function nameOf(url: string): string {
  const last = basename(url.replace(/[/:]+/g, "/").replace(/(?:\/\.git)?\/*$/, ""), ".git");
  const name = last.replace(/[^\w.-]+/g, "-").replace(/^[.-]+/, "");
  return name === "" ? "repository" : name.slice(0, 64);
}

function refused(detail: string, hint: string): SvcError {
  return new SvcError("INVALID_PARAMS", detail, { hint });
}
