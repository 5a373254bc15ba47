import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

import { SvcError } from "../../base/errors.ts";

/** Reads certificate chain and private key from PEM files. Throws USAGE when they cannot be used. */
export function readTlsFiles(files: { readonly cert: string; readonly key: string }): {
  readonly cert: Buffer;
  readonly key: Buffer;
} {
  const tls = { cert: readPem("--tls-cert", files.cert), key: readPem("--tls-key", files.key) };
  try {
    createSecureContext(tls);
  } catch (cause) {
    throw new SvcError("USAGE", "The certificate and the key cannot be used for TLS.", {
      hint: "Both must be PEM. The key must belong to the first certificate and have no passphrase.",
      cause,
    });
  }
  return tls;
}

/** Follows symbolic links, which tools that renew certificates create. */
function readPem(flag: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new SvcError("USAGE", `${flag}: "${path}" cannot be read.`, { cause });
  }
}
