import { SvcError } from "../base/errors.ts";

/** For commands that have nothing to do where no credential was ever made. */
export function noStore(): SvcError {
  return new SvcError("CREDENTIAL_STORE", "There is no credential store on this machine yet.", {
    hint: "It is made with the first credential: `svc auth token create --name NAME --save`.",
  });
}
