// Entry of the page in the browser (docs/decisions/0024-search-page.md).
import { AdminButton } from "./admin-button.ts";
import { listenToKeys } from "./keys.ts";
import { Page } from "./page.ts";
import { SignIn } from "./sign-in.ts";

const page = new Page((failure) => {
  admin.offer(false);
  void signIn.leave(failure);
});
const admin = new AdminButton((failure) => page.leave(failure));
const signIn = new SignIn((client, namespaces, user) => {
  admin.offer(user.admin);
  page.enter(client, namespaces);
});
listenToKeys(page);
void signIn.start();
