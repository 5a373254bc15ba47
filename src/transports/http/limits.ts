const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits of one server for its clients. Names give the units. Node's defaults tolerate a slow client for minutes. */
export interface HttpLimits {
  /** From opening a connection, or the first byte of a later request on it, to the end of the headers. */
  readonly headersMs: number;
  /** From there to the last byte of the body. */
  readonly requestMs: number;
  /** Interval at which these two are checked and idle connections are counted. */
  readonly sweepMs: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
  /** Limit for the bodies of all calls that have not ended. */
  readonly allBodiesBytes: number;
  /** Maximum number of idle connections from one address. */
  readonly idleConnections: number;
  /** How long a connection may be idle before it counts: longer than the Retry-After of a refused client. */
  readonly idleGraceMs: number;
  readonly connections: number;
  /** Maximum number of requests sent on one connection before their responses; one more closes it. */
  readonly pipelined: number;
  /** Maximum number of concurrent calls. */
  readonly inFlight: number;
  /** Maximum number of them with one credential, so that others can still call while its calls block. */
  readonly inFlightOfOwner: number;
  /** Maximum number of waiting calls, including those whose bodies are still arriving. */
  readonly queued: number;
  /** How long a call waits after its body has arrived before it is refused (the setting queue_timeout_seconds). */
  readonly queueMs: number;
  /** From the first byte of a call to its reply (interface, section 8). */
  readonly callMs: number;
  /** How long an idle connection is kept: longer than in common proxies, because the proxy must close it first. */
  readonly keepAliveMs: number;
  /** How long a connection may be without any traffic. */
  readonly stalledMs: number;
  /** How long a client may leave responses unread, beyond what the system buffers for it. */
  readonly unreadMs: number;
  /** How long, and how many bytes, a refused client may continue to send. */
  readonly lingerMs: number;
  readonly lingerBytes: number;
  /** Maximum number of open event streams, in total and with one credential. */
  readonly streams: number;
  readonly streamsOfPrincipal: number;
  /** Interval of comments on such a stream; a client that has not read the last one by then is disconnected. */
  readonly commentMs: number;
  /** Maximum unread bytes on a stream when more is written. */
  readonly unreadBytes: number;
  /** How long calls may continue during shutdown. */
  readonly drainMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersMs: 10_000,
  requestMs: 12_000,
  sweepMs: 1000,
  headerBytes: 16 * KIB,
  bodyBytes: 4 * MIB,
  allBodiesBytes: 64 * MIB,
  idleConnections: 100,
  idleGraceMs: 5000,
  connections: 8192,
  pipelined: 8,
  inFlight: 64,
  inFlightOfOwner: 48,
  queued: 2048,
  queueMs: 10_000,
  callMs: 30_000,
  keepAliveMs: 75_000,
  stalledMs: 60_000,
  unreadMs: 10_000,
  lingerMs: 500,
  lingerBytes: MIB,
  streams: 2048,
  streamsOfPrincipal: 256,
  commentMs: 15_000,
  unreadBytes: 64 * KIB,
  drainMs: 1000,
};
