// Errors of a database for the user: each failure has a cause and a remedy.

import { DatabaseError } from "pg";

import { SvcError } from "../base/errors.ts";
import { NoPasswordError } from "./login.ts";

/** Why a statement failed, as far as callers decide by it. */
export type DatabaseFailure = "unreachable" | "read-only" | "conflict" | "other";

/** Where the failure happened. */
interface Place {
  /** Name of the host, for messages. */
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

/** Connection failures of the operating system, and of Node's sockets. */
const UNREACHABLE_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ENOENT",
  "EACCES",
  "NO_ANSWER",
]);
/** Messages of `pg` for a connection that ended or took too long, which have no code. */
const UNREACHABLE_MESSAGE =
  /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;
/** Deadlock, serialization failure, lock timeout: the same work may succeed a moment later. */
const CONFLICT_CODES = new Set(["40001", "40P01", "55P03"]);
const READ_ONLY = "25006";
const STANDBY = "it is a standby";
const FORMER = "it is a former primary";
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Returns the class of a failure that `pg` reported. */
export function databaseFailure(thrown: unknown): DatabaseFailure {
  const code = codeOf(thrown);
  // READ_ONLY: the server is a standby. 57P01 to 57P03: it stops or starts. Class 08: the connection failed.
  if (code === READ_ONLY) return "read-only";
  if (CONFLICT_CODES.has(code)) return "conflict";
  const isGone = UNREACHABLE_CODES.has(code) || /^(?:57P0[1-3]|08|53300)/.test(code);
  return isGone || UNREACHABLE_MESSAGE.test(messageOf(thrown)) ? "unreachable" : "other";
}

/** Returns the error to show for a failure that `pg` reported; one of svc's own is returned unchanged. */
export function databaseError(thrown: unknown, place: Place): SvcError {
  if (thrown instanceof SvcError) return thrown;
  const { host, user } = place;
  const [code, message] = [codeOf(thrown), messageOf(thrown)];
  const failed = (text: string, hint?: string): SvcError =>
    new SvcError("BACKEND_UNAVAILABLE", text, { hint, cause: thrown });
  if (code === "53100") {
    return new SvcError("STORAGE_FULL", `The disk of the database at ${host} is full.`, {
      hint: "Free some space there. Nothing was changed.",
      cause: thrown,
    });
  }
  const described = DESCRIBED[code];
  if (described !== undefined) return failed(...described(place, message));
  if (thrown instanceof NoPasswordError) {
    return failed(
      `The database at ${host} asks for the password of "${user}", and there is none.`,
      "Put it into the file that PGPASSFILE names (default ~/.pgpass), with mode 0600.",
    );
  }
  if (TLS_CODE.test(code) || message.includes("does not support SSL")) {
    return failed(
      `There is no trusted TLS connection to the database at ${host}: ${message}.`,
      "Give the database a certificate for this host; add ?sslrootcert=FILE to the address for your own certificate authority.",
    );
  }
  if (databaseFailure(thrown) === "unreachable") {
    return failed(
      `The database at ${host} cannot be reached: ${message || code}.`,
      "Check that PostgreSQL runs there. The next call tries again.",
    );
  }
  return failed(`The database at ${host} failed: ${message || String(thrown)}.`);
}

type Description = (place: Place, message: string) => readonly [text: string, hint: string];

const REFUSED: Description = ({ host, user }, message) => [
  `The database at ${host} refuses the user "${user}": ${message}.`,
  "Put the password into the file that PGPASSFILE names (default ~/.pgpass), and check pg_hba.conf.",
];

/** Code of PostgreSQL (appendix A of its manual), or NO_ANSWER, to what the user reads. */
const DESCRIBED: Readonly<Record<string, Description>> = {
  "28P01": REFUSED,
  "28000": REFUSED,
  "3D000": ({ host, database }) => [
    `The server at ${host} has no database "${database}".`,
    `Create it with \`createdb ${database}\`.`,
  ],
  "42501": ({ user, database }, message) => [
    `The user "${user}" has too few rights on the database "${database}": ${message}.`,
    `Grant them with \`GRANT CREATE, CONNECT ON DATABASE ${database} TO ${user}\`.`,
  ],
  [READ_ONLY]: ({ host }, message) => [
    `The database at ${host} accepts no writes: ${message === FORMER ? FORMER : STANDBY}.`,
    "Add the primary to the hosts of the address, separated by commas.",
  ],
  "57014": ({ host }, message) => [
    `The database at ${host} took too long: ${message}.`,
    "Another statement may hold it up. If it has a synchronous standby, check that it runs.",
  ],
  NO_ANSWER: ({ host }, message) => [
    `The database at ${host} has given ${message}.`,
    "If it has a synchronous standby, check that it runs: a change counts when the standby has it.",
  ],
};

/** The failure of a statement that took too long. Whether it was done is unknown, as after a lost connection. */
export function noAnswer(afterMs: number, cause: unknown): Error {
  const error = new Error(`no answer within ${Math.ceil(afterMs / 1000)} s`, { cause });
  return Object.assign(error, { code: "NO_ANSWER" });
}

/** The failure of a connection that was cut without a word. */
export function withoutAnswer(afterMs: number, cause: unknown): Error {
  const error = new Error(`no answer for ${Math.ceil(afterMs / 1000)} s`, { cause });
  return Object.assign(error, { code: "ETIMEDOUT" });
}

/** A fail-over would lose the changes of such a commit, so it must not be acknowledged. */
export function unreplicatedError(): SvcError {
  return new SvcError(
    "BACKEND_UNAVAILABLE",
    "The standby of the database did not receive the change.",
    {
      hint: "Check the standby and its connection, then repeat the command.",
    },
  );
}

/** Whether the server or the connection failed, and not what svc did with it. */
export function isDatabaseFailure(thrown: unknown): boolean {
  return thrown instanceof DatabaseError || databaseFailure(thrown) !== "other";
}

/** The failure of a statement on a standby. */
export function standbyFailure(): Error {
  return Object.assign(new Error(STANDBY), { code: READ_ONLY });
}

/** The failure of a host that accepts writes although another one was promoted after it. */
export function formerPrimaryFailure(): Error {
  return Object.assign(new Error(FORMER), { code: READ_ONLY });
}

/** Returns the error for an address none of whose hosts accepts writes. `failures`: name of the host -> why. */
export function noPrimary(
  failures: ReadonlyMap<string, unknown>,
  place: Omit<Place, "host">,
): SvcError {
  const all = [...failures];
  const [other] = all.filter(([, thrown]) => databaseFailure(thrown) === "other");
  const lost = all.filter(([, thrown]) => databaseFailure(thrown) === "unreachable");
  const standbys = all.filter(([, thrown]) => databaseFailure(thrown) === "read-only");
  const [first] = other === undefined ? lost : [other];
  if (first === undefined) {
    const [, why = standbyFailure()] = standbys[0] ?? [];
    return databaseError(why, { ...place, host: namesOf(standbys) });
  }
  const [host, thrown] = first;
  if (other !== undefined || standbys.length === 0)
    return databaseError(thrown, { ...place, host });
  const reason = messageOf(thrown) || codeOf(thrown);
  return new SvcError(
    "BACKEND_UNAVAILABLE",
    `The database at ${namesOf(lost)} cannot be reached: ${reason}. ${describe(standbys)}`,
    {
      hint: "If the primary is lost, promote the standby. The next call tries again.",
      cause: thrown,
    },
  );
}

function namesOf(hosts: readonly (readonly [name: string, failure: unknown])[]): string {
  return hosts.map(([name]) => name).join(", ");
}

/** A sentence for each host that accepts no writes, in their order. */
function describe(hosts: readonly (readonly [name: string, failure: unknown])[]): string {
  return hosts
    .map(([name, failure]) => `${name} is ${messageOf(failure).replace(/^it is /, "")}.`)
    .join(" ");
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}

function messageOf(thrown: unknown): string {
  // Several addresses of one name were tried.
  if (thrown instanceof AggregateError && thrown.message === "") {
    return thrown.errors.map(messageOf).join("; ");
  }
  return (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, "");
}
