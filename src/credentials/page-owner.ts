import { CredentialPrincipal } from "./authenticate.ts";

let owner: CredentialPrincipal | undefined;

/**
 * The owner of the machine as a user of the search page: `svc serve --open` shows the page to who started it. May search
 * all namespaces and see the admin's view, and change nothing.
 */
export function pageOwner(): CredentialPrincipal {
  return (owner ??= new CredentialPrincipal({
    id: "local",
    kind: "token",
    name: "owner of this machine",
    namespaces: "all",
    readOnly: true,
    admin: true,
    createdAt: 0,
    digest: "",
  }));
}
