const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/i;

/** True for a host name or address that only this machine can reach; accepts IPv6 with or without brackets. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.replace(/^\[(?<address>.*)\]$/, "$<address>"));
}
