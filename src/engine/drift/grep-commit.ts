// Searches the files of a commit: whether the documentation mentioned a name, and whether the code contains it.

import { pathFromBytes } from "../../base/path-bytes.ts";
import { isProse } from "../../chunk/prose.ts";
import { fileRole, languageOf } from "../../scan/classify.ts";
import type { Git, GitLimits } from "../../sources/run-git.ts";
import { isPastPath } from "./past.ts";

const LIMITS = { timeoutMs: 15_000, maxBytes: 1 << 20 };

/** What a commit removed, and a page that names it now. */
interface Documented {
  /** Full id of the commit. */
  readonly commit: string;
  readonly text: string;
  /** Relative to the top level of the repository. */
  readonly page: string;
}

/**
 * Returns whether this page, or another one, named it in the parent of the commit. A page that was written later never
 * described that code: it means something else by the name. Throws TIMEOUT.
 */
export async function wasDocumented(
  git: Git,
  { commit, text, page }: Documented,
  signal: GitLimits["signal"],
): Promise<boolean> {
  const grep = ["grep", "-l", "-z", "-I", "-F", "-w", "--no-color", "-e", text, `${commit}^`];
  const limits = { ...LIMITS, signal };
  const { bytes: own } = await git([...grep, "--", page], limits);
  if (own.length > 0) return true;
  // Pages move. Git takes no patterns of paths here, so it reads the whole tree.
  const { bytes } = await git(grep, limits);
  return pathFromBytes(bytes)
    .split("\0")
    .some((name) => isPage(name.slice(name.indexOf(":") + 1)));
}

function isPage(path: string): boolean {
  const language = languageOf(path);
  return isProse(language) && fileRole(path, language) === "docs" && !isPastPath(path);
}

const CODE_LIMITS = { timeoutMs: 30_000, maxBytes: 8 << 20 };
/** Words of one call of git. */
const MAX_WORDS = 1000;

/**
 * Returns which of these words any file of the commit has, except documentation: also files that are not indexed, such as
 * very large ones. Throws TIMEOUT.
 */
export async function wordsInCode(
  git: Git,
  { commit, words }: { readonly commit: string; readonly words: readonly string[] },
  signal: GitLimits["signal"],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let at = 0; at < words.length; at += MAX_WORDS) {
    const patterns = words.slice(at, at + MAX_WORDS).flatMap((word) => ["-e", word]);
    // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
    const { bytes } = await git(
      ["grep", "-o", "-z", "-I", "-F", "-w", "--no-color", ...patterns, commit],
      { ...CODE_LIMITS, signal },
    );
    for (const line of pathFromBytes(bytes).split("\n")) {
      const [path = "", word = ""] = line.split("\0");
      const own = path.slice(path.indexOf(":") + 1);
      if (fileRole(own, languageOf(own)) !== "docs") found.add(word);
    }
  }
  return found;
}
