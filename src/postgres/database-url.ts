// The address of a shared backend, as psql takes it.

import { SvcError } from "../base/errors.ts";
import { isLoopback } from "../base/loopback.ts";

export interface DatabaseHost {
  /** Name, IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** Where a database is, and how to connect. */
export interface DatabaseAddress {
  /** At least one; svc uses the first that accepts writes. */
  readonly hosts: readonly DatabaseHost[];
  readonly user: string | undefined;
  readonly database: string;
  /** Schema of svc's tables. */
  readonly schema: string;
  /** File with the certificates of the authorities to trust (PEM); undefined for those of Node. */
  readonly rootCertificates: string | undefined;
}

const DEFAULT_PORT = 5432;
const DEFAULT_SCHEMA = "svc";
const PARAMETERS = new Set(["schema", "sslrootcert", "sslmode"]);
const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Parses `postgres://[USER@]HOST[:PORT][,HOST[:PORT]...]/DATABASE[?schema=S][&sslrootcert=FILE]`. A host that begins with
 * `%2F` is the folder of a Unix socket. Throws USAGE, without the text of the address: it may contain a password.
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const match =
    /^postgres(?:ql)?:\/\/(?:(?<user>[^/@?#]*)@)?(?<hosts>[^/?#]+)\/(?<database>[^/?#]+)(?:\?(?<query>[^#]*))?$/.exec(
      url,
    )?.groups;
  if (match === undefined) {
    throw invalid(
      "The address of the shared backend is not valid.",
      "Write postgres://USER@HOST:PORT/DATABASE.",
    );
  }
  const { user = "", hosts = "", database = "", query = "" } = match;
  if (user.includes(":")) {
    throw invalid(
      "The address of the shared backend contains a password.",
      "Put the password into a file that PGPASSFILE names (default ~/.pgpass), as HOST:PORT:DATABASE:USER:PASSWORD.",
    );
  }
  const { schema, rootCertificates } = parseParameters(query);
  return {
    hosts: hosts.split(",").map(parseHost),
    user: user === "" ? undefined : decode(user),
    database: decode(database),
    schema,
    rootCertificates,
  };
}

function parseParameters(query: string): Pick<DatabaseAddress, "schema" | "rootCertificates"> {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!PARAMETERS.has(name)) {
      throw invalid(`The address of the shared backend has an unknown parameter "${name}".`);
    }
  }
  const mode = parameters.get("sslmode") ?? "verify-full";
  if (mode !== "verify-full") {
    throw invalid(
      `sslmode=${mode} is not supported.`,
      "svc verifies the certificate of every database that is not on this machine (verify-full).",
    );
  }
  const schema = parameters.get("schema") ?? DEFAULT_SCHEMA;
  if (!IDENTIFIER.test(schema)) throw invalid(`"${schema}" is not the name of a schema.`);
  return { schema, rootCertificates: parameters.get("sslrootcert") ?? undefined };
}

/** Whether all packets to this host stay on this machine. */
export function isOnThisMachine({ host }: DatabaseHost): boolean {
  return host.startsWith("/") || isLoopback(host);
}

/** For messages. */
export function hostName({ host, port }: DatabaseHost): string {
  return host.startsWith("/") ? host : `${host}:${port}`;
}

function parseHost(text: string): DatabaseHost {
  const {
    host = "",
    bare = "",
    port,
  } = /^(?:\[(?<host>[0-9A-Fa-f:]+)\]|(?<bare>[^:[\]]+))(?::(?<port>\d{1,5}))?$/.exec(text)
    ?.groups ?? {};
  const name = decode(host || bare);
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (name === "" || number < 1 || number > 65_535) {
    throw invalid("A host in the address of the shared backend is not valid.", "Write HOST:PORT.");
  }
  return { host: name, port: number };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid("The address of the shared backend contains an invalid % sequence.");
  }
}

function invalid(message: string, hint?: string): SvcError {
  return new SvcError("USAGE", message, { hint });
}
