import type { CredentialStore } from "../../credentials/store.ts";
import { defineCommand } from "../command.ts";
import { noStore } from "../no-store.ts";
import { isoTime } from "../print/time.ts";

export const command = defineCommand({
  description:
    "Sets the clock of the credential store to the time of this machine. The store keeps the latest time it has seen, so that an expired token does not become valid when the machine's clock is set back. If the machine's clock was once far in the future, tokens expire early: correct the clock, then run this command.\n\nTokens that expired only because of the wrong clock become valid again, and the command lists them. The reset is recorded in the audit log.",
  examples: [
    {
      run: "svc auth store reset-clock",
      description: "Set the clock of the store to the system time.",
    },
  ],
  async run(_input, { app, io }) {
    const store = await app.credentials();
    if (store === undefined) throw noStore();
    const { known, now } = store.clock();
    if (known <= now) {
      io.out("The clock of the store is not ahead of this machine's; nothing was changed.\n");
      return;
    }
    store.resetClock(now);
    io.out(`The clock of the store was set back from ${isoTime(known)} to ${isoTime(now)}.\n`);
    const revalidated = revalidatedBetween(store, now, known);
    if (revalidated.length > 0) io.err(`Valid again: ${revalidated.join(", ")}.\n`);
  },
});

function revalidatedBetween(store: CredentialStore, from: number, to: number): readonly string[] {
  return store
    .list()
    .filter(({ revokedAt }) => revokedAt === undefined)
    .filter(({ expiresAt = 0 }) => expiresAt > from && expiresAt <= to)
    .map(({ id }) => id);
}
