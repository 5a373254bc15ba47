// Which names the server answers to. This prevents DNS rebinding, where a web page makes its own host name point to
// this machine (mcp.md, section 7): the name in `Host` and `Origin` must be a known one.
import { SvcError } from "../../base/errors.ts";
import { isLoopback } from "../../base/loopback.ts";
import type { HttpExchange } from "./exchange.ts";

interface AllowListOptions {
  /** The address that the server listens on. */
  readonly host: string;
  readonly port: number;
  /**
   * Further names, each with a port. A name without one is allowed with the server's port and with the default
   * port.
   */
  readonly allowHosts: readonly string[];
  /** Schemes that clients may use; with a proxy in front, both. */
  readonly schemes: readonly ("http" | "https")[];
}

/** Returns the host as written in a URL: IPv6 in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/**
 * Paths that a server for other machines answers under any name: probes of clusters and load balancers use its
 * current address. They reveal only that the server runs, which anybody who can connect knows.
 */
const PROBES: readonly string[] = ["/healthz", "/readyz"];

/** The host names and origins that the server accepts. */
export class AllowList {
  readonly #isForOthers: boolean;
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor({ host, port, allowHosts, schemes }: AllowListOptions) {
    const own = ["127.0.0.1", "localhost", "[::1]", ...(isLoopback(host) ? [urlHost(host)] : [])];
    const named = allowHosts.flatMap((name) => {
      const hasPort = /(?:^[^:]*|\]):\d+$/.test(name);
      return hasPort ? [name] : [urlHost(name), `${urlHost(name)}:${port}`];
    });
    const hosts = [...own.map((name) => `${name}:${port}`), ...named].map(lowerCase);
    // URLs omit the default port of their scheme.
    const usual = { http: 80, https: 443 };
    if (schemes.some((scheme) => usual[scheme] === port)) hosts.push(...own.map(lowerCase));
    this.#isForOthers = !isLoopback(host);
    this.#hosts = new Set(hosts);
    this.#origins = new Set(
      schemes.flatMap((scheme) => hosts.map((name) => `${scheme}://${name}`)),
    );
  }

  /** Throws FORBIDDEN when the host or the origin is not in the list. */
  check({ request, path, authority }: HttpExchange): void {
    const { host, origin } = request.headers;
    const names = authority === undefined ? [host] : [host, authority];
    const isProbe = this.#isForOthers && PROBES.includes(path);
    const isKnown = names.every((name) => name !== undefined && this.#hosts.has(lowerCase(name)));
    if (!isKnown && !isProbe) {
      throw new SvcError("FORBIDDEN", "The host in the request is not a name of this server.", {
        hint: "Start the server with --allow-host NAME to allow another name.",
      });
    }
    if (origin !== undefined && !this.#origins.has(lowerCase(origin))) {
      throw new SvcError("FORBIDDEN", "Pages of this origin may not call the server.");
    }
  }
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}
