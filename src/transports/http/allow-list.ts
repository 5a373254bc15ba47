// Which sites may talk to the server: against DNS rebinding, where a page in a browser has its own
// name point at this machine (mcp.md, section 7), the name in `Host` and `Origin` must be one we know.
import { SvcError } from "../../base/errors.ts";
import { isLoopback } from "../../base/loopback.ts";
import type { HttpExchange } from "./exchange.ts";

interface AllowListOptions {
  /** That the server listens on. */
  readonly host: string;
  readonly port: number;
  /** More names, each with a port, or without one for the port of the server and the usual one. */
  readonly allowHosts: readonly string[];
  /** How clients reach the server: behind a proxy that may be either. */
  readonly schemes: readonly ("http" | "https")[];
}

/** As it stands in a URL: IPv6 in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/**
 * Where a server for others answers whatever it is called: probes of clusters and balancers come by the
 * address it has at the moment. They tell that it runs, which whoever can connect knows.
 */
const PROBES: readonly string[] = ["/healthz", "/readyz"];

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
    // A port that is the usual one of its scheme is left out.
    const usual = { http: 80, https: 443 };
    if (schemes.some((scheme) => usual[scheme] === port)) hosts.push(...own.map(lowerCase));
    this.#isForOthers = !isLoopback(host);
    this.#hosts = new Set(hosts);
    this.#origins = new Set(
      schemes.flatMap((scheme) => hosts.map((name) => `${scheme}://${name}`)),
    );
  }

  /** Throws FORBIDDEN for a host or an origin that is not in the list. */
  check({ request, path, authority }: HttpExchange): void {
    const { host, origin } = request.headers;
    const names = authority === undefined ? [host] : [host, authority];
    const isProbe = this.#isForOthers && PROBES.includes(path);
    const isKnown = names.every((name) => name !== undefined && this.#hosts.has(lowerCase(name)));
    if (!isKnown && !isProbe) {
      throw new SvcError("FORBIDDEN", "The request names a host that is not this server's.", {
        hint: "Start the server with --allow-host NAME to have it reached by another name.",
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
