import type { App } from "../app.ts";
import { SvcError } from "../base/errors.ts";

/** The error of commands that need the credential store of this machine where there is none. */
export function noStore({ sharedBackend }: Pick<App, "sharedBackend">): SvcError {
  if (sharedBackend !== undefined) {
    return new SvcError(
      "CREDENTIAL_STORE",
      "The credentials are in the shared backend, not on this machine.",
      {
        hint: "`svc auth token list` and `svc auth keys list` show them. Unset SERVICE_BACKEND for the store of this machine.",
      },
    );
  }
  return new SvcError("CREDENTIAL_STORE", "There is no credential store on this machine yet.", {
    hint: "Create the first credential: `svc auth token create --name NAME --save`.",
  });
}
