import { SvcError } from "../base/errors.ts";

/** The error of commands that need a credential store where there is none. */
export function noStore(): SvcError {
  return new SvcError("CREDENTIAL_STORE", "There is no credential store on this machine yet.", {
    hint: "Create one with the first credential: `svc auth token create --name NAME --save`.",
  });
}
