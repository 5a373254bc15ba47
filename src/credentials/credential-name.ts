import { SvcError } from "../base/errors.ts";

const LENGTH = 100;

/** Throws USAGE unless `name` can stand in a list: 1 to 100 characters (code points) on one line. */
export function requireCredentialName(name: string): void {
  const { length } = Array.from(name);
  if (name.trim() !== "" && length <= LENGTH && !/\p{Cc}/u.test(name)) return;
  throw new SvcError("USAGE", "The name of a credential is 1 to 100 characters on one line.", {
    hint: "Choose one that says where it is used, such as `laptop` or `ci`.",
  });
}
