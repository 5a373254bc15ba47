import { isLoopback } from "./loopback.ts";

/**
 * Returns why a text is unusable as the address of a server that gets a secret, to complete "The address …". Undefined
 * for a usable one. The reason omits the text, which may contain a password.
 */
export function problemWithServerUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return "is not a URL";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is not an HTTP URL";
  if (url.username !== "" || url.password !== "") return "contains a credential";
  if (url.search !== "" || url.hash !== "") return "has a query or a fragment";
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return "would send secrets over plain HTTP";
  return undefined;
}
