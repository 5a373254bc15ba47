// Turns git's output into an error with a detail and a hint. Only lines that begin with `fatal:` or `error:` are
// shown, cleaned: the others may come from the server.

import { redactText } from "../base/redact.ts";
import { SvcError } from "../base/errors.ts";

interface GitFailure {
  readonly outcome: "failed" | "late" | "absent";
  readonly lines: readonly string[];
  readonly ref: string | undefined;
}

type FailurePattern = readonly [pattern: RegExp, detail: string, hint: string];

const TRY = "Try `git ls-remote URL` in a terminal";

/** The first pattern that matches git's output is used. */
const FAILURE_PATTERNS: readonly FailurePattern[] = [
  [
    /transport '.*' not allowed/i,
    "The repository, or a redirect of its server, requires a transport that is not allowed.",
    "Use the URL that the server redirects to.",
  ],
  [
    /could not read (?:Username|Password)|terminal prompts disabled|Authentication failed|HTTP Basic: Access denied|returned error: 40[13]/i,
    "The server requires a login, and git has no credentials for it.",
    "Set up a credential helper (`git help credentials`) or use the ssh URL of the repository. " +
      TRY +
      ".",
  ],
  [
    /Permission denied \(|Too many authentication failures/i,
    "The server refused the ssh keys it was offered.",
    "Add the right key to the ssh agent. " + TRY + ".",
  ],
  [
    /Host key verification failed/i,
    "The ssh key of the host is not known on this machine.",
    "Connect to it once by hand (`ssh HOST`) and check its key.",
  ],
  [
    /couldn't find remote ref HEAD|Remote branch HEAD not found/i,
    "The repository is empty, or has no default branch.",
    "Name a branch: `URL#main`.",
  ],
  [
    /couldn't find remote ref|not our ref|unadvertised object|no such remote ref/i,
    "The repository has no such branch, tag or commit.",
    "`git ls-remote URL` lists its branches and tags; write a commit with all its digits.",
  ],
  [
    /dubious ownership/i,
    "The repository belongs to another user of this machine.",
    "If you trust it: `git config --global --add safe.directory PATH`.",
  ],
  [
    /No space left on device|Disk quota exceeded/i,
    "",
    "Free some space, or move the data with SERVICE_HOME.",
  ],
  [
    /Could not resolve host|Name or service not known|Connection refused|Connection timed out|Operation timed out|Network is unreachable|No route to host|Failed to connect|unable to connect|Connection reset|Operation too slow/i,
    "The server of the repository cannot be reached.",
    "Check the host's name, the network and the proxy. " + TRY + ".",
  ],
  [
    /certificate|SSL|gnutls/i,
    "git cannot make a trusted connection to the server.",
    "Give git the certificate authority of the server (`http.sslCAInfo`).",
  ],
  [
    /mismatched algorithms|different object format|unsupported object format/i,
    "The repository uses SHA-256 object names, which svc cannot fetch yet.",
    "Clone it yourself, and index the folder.",
  ],
  [
    /not found|does not (?:appear to be|exist)|not a git repository|No such file/i,
    "The repository does not exist, or you have no access to it.",
    "Check the URL. " + TRY + ".",
  ],
];

/** Returns FETCH_FAILED or STORAGE_FULL for a failed run of git. */
export function gitFailureError({ outcome, lines, ref }: GitFailure): SvcError {
  if (outcome === "absent") {
    return new SvcError("FETCH_FAILED", "git is not installed on this machine.", {
      hint: "Install it, or copy the repository's files here and index the folder.",
    });
  }
  if (outcome === "late") {
    return new SvcError("FETCH_FAILED", "The server sent nothing for too long.", {
      hint: `Try again later. ${TRY}.`,
    });
  }
  const output = lines.join("\n");
  const [pattern, detail = "", hint] = FAILURE_PATTERNS.find(([one]) => one.test(output)) ?? [];
  if (pattern !== undefined && detail === "") {
    return new SvcError("STORAGE_FULL", "The disk is full.", hint === undefined ? {} : { hint });
  }
  if (pattern === undefined || hint === undefined) {
    return new SvcError("FETCH_FAILED", `git failed: ${errorText(lines)}`, { hint: `${TRY}.` });
  }
  const named =
    ref === undefined ? detail : detail.replace("no such branch", `no "${ref}": no such branch`);
  return new SvcError("FETCH_FAILED", named, { hint, cause: errorText(lines) });
}

function errorText(lines: readonly string[]): string {
  const fatal = lines.findLast((line) => /^(?:fatal|error): /.test(line));
  const text = fatal?.replace(/^\w+: /, "") ?? "it gave no reason.";
  // oxlint-disable-next-line no-control-regex -- a terminal would obey them
  return redactText(text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ")).slice(0, 300);
}
