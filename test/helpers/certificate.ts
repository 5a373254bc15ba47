import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { tree } from "./tree.ts";

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * A self-signed certificate for tests. `name`: its subject, such as `IP:192.0.2.1` or
 * `DNS:example.org`. Needs openssl.
 */
export function certificate(name = "DNS:t"): Certificate {
  const { path, dispose } = tree();
  try {
    const [cert, key] = [join(path, "cert.pem"), join(path, "key.pem")];
    const words =
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=t";
    const args = [...words.split(" "), "-addext", `subjectAltName=${name}`];
    execFileSync("openssl", [...args, "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { cert: readFileSync(cert), key: readFileSync(key) };
  } finally {
    dispose();
  }
}
