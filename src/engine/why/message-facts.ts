// The references in a commit message to other commits, issues and pull requests.

/** `#12`, `owner/name#12`, `GH-7`, and `ABC-123` of trackers such as Jira. */
const ISSUE =
  /(?<![\w/#&-])(?:[\w.-]{1,60}\/[\w.-]{1,60})?#\d{1,7}\b|(?<![\w-])GH-\d{1,7}\b|(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,6}\b(?!-?\w)/g;
const ISSUE_URL = /\/(?:issues|pull|pulls|merge_requests)\/(\d{1,7})\b/g;
/** Names of standards and versions have the form of an issue. */
const NO_TRACKER =
  /^(?:UTF|UCS|ISO|IEC|IEEE|SHA|MD|AES|RSA|RFC|CP|BASE|HTTP|TLS|SSL|X|PEP|GPL|LGPL|AGPL|BSD|MIT|APACHE|ASCII|ECMA|ES|CSS|HTML|UTC|GMT|POSIX|C|CPP|INT|UINT|ARM|WIN|PY|V|R|P|PR|ED|CVE|GHSA|CWE|ANSI|FIPS|PKCS)-/;
const MAX_ISSUES = 10;

/** Returns the issues and pull requests that a message names, each once, in their order. */
export function issuesIn(message: string): readonly string[] {
  const found = [
    ...Array.from(message.matchAll(ISSUE), ({ index, 0: issue }) => ({ index, issue })),
    ...Array.from(message.matchAll(ISSUE_URL), ({ index, 1: number }) => ({
      index,
      issue: `#${number ?? ""}`,
    })),
  ].toSorted((one, other) => one.index - other.index);
  const issues = found.map(({ issue }) => issue).filter((issue) => !NO_TRACKER.test(issue));
  return [...new Set(issues)].slice(0, MAX_ISSUES);
}

/** How merges of GitHub, Bitbucket and GitLab name what they merge. */
const MERGED_REQUEST = [
  /^Merge pull request (?<request>#\d{1,7})\b/,
  /^Merged in .*\(pull request (?<request>#\d{1,7})\)/,
  /^See merge request \S*?(?<request>!\d{1,7})\b/m,
];

/** Returns the pull request that the message of a merge names, as `#12`, or `!12` for GitLab; undefined if it names none. */
export function mergedRequestIn(message: string): string | undefined {
  for (const pattern of MERGED_REQUEST) {
    const request = pattern.exec(message)?.groups?.["request"];
    if (request !== undefined) return request;
  }
  return undefined;
}

/** Returns the commits that a message says it reverts, as ids or the beginnings of ids. */
export function revertedIn(message: string): readonly string[] {
  return Array.from(
    message.matchAll(/\breverts? (?:commit )?([0-9a-f]{7,64})\b/gi),
    ([, id = ""]) => id.toLowerCase(),
  );
}

/** Lines that tools add to messages: they say who reviewed or signed, not why. */
const TRAILER =
  /^(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|change-id|reviewed-on|cc|git-svn-id|piperorigin-revid|differential revision|test plan|fbshipit-source-id)\s*:/i;

/** Trailers that a squashed pull request has after each of its commits. */
const SIGNATURE = /^(?:signed-off-by|co-authored-by)\s*:/i;
/** From so many characters on, a line is hardly the same by chance. */
const MIN_REPEATED_LENGTH = 8;

/**
 * Returns a body of up to `maxCharacters` without the trailers at its end, and without lines that repeat the subject or an
 * earlier line, as in the list of commits that a squashed pull request leaves.
 */
export function shownBody(body: string, maxCharacters: number, subject = ""): string {
  const lines = withoutRepetition(body.split("\n"), subject);
  while (lines.length > 0) {
    const last = (lines.at(-1) ?? "").trim();
    if (last !== "" && !TRAILER.test(last) && !/^-{3,}$/.test(last)) break;
    lines.pop();
  }
  const text = lines.join("\n").replace(/^\n+/, "");
  if (text.length <= maxCharacters) return text;
  const cut = text.slice(0, maxCharacters);
  const end = Math.max(cut.lastIndexOf("\n"), cut.lastIndexOf(" "));
  return `${cut.slice(0, end > maxCharacters / 2 ? end : maxCharacters).trimEnd()}…`;
}

function withoutRepetition(lines: readonly string[], subject: string): string[] {
  const seen = new Set([withoutMarks(subject)]);
  const kept: string[] = [];
  let isAfterRepeated = false;
  for (const line of lines) {
    const words = withoutMarks(line);
    const isRepeated =
      (words.length >= MIN_REPEATED_LENGTH && seen.has(words)) || SIGNATURE.test(words);
    const isSpare: boolean = isAfterRepeated && words === "";
    seen.add(words);
    isAfterRepeated = isRepeated || isSpare;
    if (!isRepeated && !isSpare) kept.push(line);
  }
  return kept;
}

/** A line without its bullet, and without the number of the pull request at its end. */
function withoutMarks(line: string): string {
  return line
    .trim()
    .replace(/^[*-] /, "")
    .replace(/^(?:fixup|squash)! /, "")
    .replace(/ ?\(#\d{1,7}\)$/, "");
}
