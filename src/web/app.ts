// Entry of the page in the browser (docs/decisions/0024-search-page.md).
import { listenToKeys } from "./keys.ts";
import { Page } from "./page.ts";
import { SignIn } from "./sign-in.ts";

const page = new Page((failure) => signIn.show(failure));
const signIn = new SignIn((client, namespaces) => page.enter(client, namespaces));
listenToKeys(page);
signIn.show();
