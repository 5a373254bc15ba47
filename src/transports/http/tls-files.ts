import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

import { SvcError } from "../../base/errors.ts";

/** Certificate chain and private key as files hold them, in PEM. Throws USAGE where they cannot serve. */
export function readTlsFiles(files: { readonly cert: string; readonly key: string }): {
  readonly cert: Buffer;
  readonly key: Buffer;
} {
  const tls = { cert: readPem("--tls-cert", files.cert), key: readPem("--tls-key", files.key) };
  try {
    createSecureContext(tls);
  } catch (cause) {
    throw new SvcError("USAGE", "The certificate and the key do not serve for TLS.", {
      hint: "Both are PEM, and the key is that of the first certificate, without a passphrase.",
      cause,
    });
  }
  return tls;
}

/** Links are followed: tools that renew certificates put them behind some. */
function readPem(flag: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new SvcError("USAGE", `${flag}: "${path}" cannot be read.`, { cause });
  }
}
