const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/i;

/** True for a name or address that this machine alone can reach; IPv6 with brackets or without. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.replace(/^\[(?<address>.*)\]$/, "$<address>"));
}
