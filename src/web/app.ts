// Entry of the search page in the browser (docs/decisions/0024-search-page.md).
import { AdminButton } from "./admin-button.ts";
import { listenToKeys } from "./keys.ts";
import { SearchView } from "./search-view.ts";
import { SignIn } from "./sign-in.ts";

const search = new SearchView((failure) => {
  admin.offer(false);
  void signIn.leave(failure);
});
const admin = new AdminButton((failure) => search.leave(failure));
const signIn = new SignIn((client, namespaces, user) => {
  admin.offer(user.admin);
  search.enter(client, namespaces);
});
listenToKeys(search);
void signIn.start();
