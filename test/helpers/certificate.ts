import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { tree } from "./tree.ts";

/** A certificate that nobody has signed, only for one test. Needs openssl. */
export function certificate(): { cert: Buffer; key: Buffer } {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const [cert, key] = [join(path, "cert.pem"), join(path, "key.pem")];
  const words =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=t";
  execFileSync("openssl", [...words.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
  return { cert: readFileSync(cert), key: readFileSync(key) };
}
