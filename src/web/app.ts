// Entry of the search page in the browser (docs/decisions/0024-search-page.md).
import { listenToKeys } from "./keys.ts";
import { SearchView } from "./search-view.ts";
import { SignIn } from "./sign-in.ts";

const search = new SearchView((failure) => signIn.show(failure));
const signIn = new SignIn((client, namespaces) => search.enter(client, namespaces));
listenToKeys(search);
signIn.show();
