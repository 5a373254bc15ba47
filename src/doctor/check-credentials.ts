// Checks the credential store, the default token and the audit log, whose key is in the store. One check for all three
// loads the data key once.

import type { SvcError } from "../base/errors.ts";
import { toSvcError } from "../base/errors.ts";
import { ChainKey } from "../credentials/audit/chain.ts";
import type { AuditDirectories } from "../credentials/audit/log-files.ts";
import { MAX_FILE_BYTES } from "../credentials/audit/log-writer.ts";
import { type Damage, verifyAuditLog } from "../credentials/audit/verify.ts";
import { CREATE_HINTS, verify } from "../credentials/authenticate.ts";
import { storeStatus, type StoreStatus } from "../credentials/store-status.ts";
import type { CredentialStore } from "../credentials/store.ts";
import { isOpenToOthers } from "./check-permissions.ts";
import type { Check, CheckContext } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { counted, type Finding, createReporter } from "./finding.ts";

const CHECK = "credentials";
const { ok, warning, failed } = createReporter(CHECK);
const token = createReporter("default token");
const audit = createReporter("audit log");

const KEY_LOCATIONS = {
  file: "a key file",
  keychain: "the keychain",
  passphrase: "a passphrase",
} as const;
const DAY_MS = 24 * 60 * 60_000;

/** The store opens, is the last version that svc wrote, and its token and audit log are valid. */
export const checkCredentials: Check = {
  name: CHECK,
  async run(context) {
    const { storeOptions, auditDirectories } = context;
    const options = { ...(await storeOptions()), isReadOnly: true };
    const open = [options.directory, options.keyDirectory, auditDirectories.directory].find(
      (path) => isOpenToOthers(path),
    );
    // Opening the store would change these permissions, and doctor changes nothing.
    if (open !== undefined) {
      const fix = `Run \`chmod -R go-rwx ${quoted(open)}\`, then \`svc doctor\` again.`;
      return [failed(`not opened: ${open} is open to other accounts`, fix)];
    }
    const contentFindings: Finding[] = [];
    const status = await storeStatus(options, (store) => {
      contentFindings.push(...defaultToken(store), ...auditLog(store, context));
    });
    return [...storeFindings(status), ...contentFindings];
  },
};

function storeFindings(status: StoreStatus): readonly Finding[] {
  const { problem, exists, keySource, keyLocation, credentials, clock, unusedKeyFile } = status;
  const key =
    keySource === undefined
      ? ""
      : `; its key is in ${KEY_LOCATIONS[keySource]}${keyLocation === undefined ? "" : ` (${keyLocation})`}`;
  if (problem !== undefined) {
    return [failed(`${problem.detail}${key}`, problem.hint ?? "Run `svc auth store status`.")];
  }
  if (!exists) return [ok("no credential store on this machine yet")];
  const findings = [ok(`${counted(credentials?.active ?? 0, "active credential")}${key}`)];
  if (clock?.isAhead === true) {
    const known = new Date(clock.known).toISOString();
    findings.push(
      warning(
        `the store recorded the time ${known}, which is in the future: tokens expire early`,
        "If the clock of this machine is correct, run `svc auth store reset-clock`.",
      ),
    );
  }
  if (unusedKeyFile !== undefined) {
    const what = `${unusedKeyFile} contains a key that this store no longer uses`;
    findings.push(warning(what, `Run \`rm ${quoted(unusedKeyFile)}\`.`));
  }
  return findings;
}

function defaultToken(store: CredentialStore): readonly Finding[] {
  const secret = store.defaultToken();
  if (secret === undefined) {
    return [token.ok("none is saved: clients must set SERVICE_TOKEN")];
  }
  try {
    const { name, expiresAt = Infinity } = verify(store, secret, "token");
    const leftMs = expiresAt - store.time(Date.now());
    const until = expiresAt === Infinity ? "" : ` until ${new Date(expiresAt).toISOString()}`;
    const what = `"${name}" is valid${until}`;
    return [leftMs < DAY_MS ? token.warning(what, CREATE_HINTS.token) : token.ok(what)];
  } catch (thrown) {
    const { message, hint }: SvcError = toSvcError(thrown);
    return [token.failed(message, hint ?? CREATE_HINTS.token)];
  }
}

function auditLog(
  store: CredentialStore,
  { auditDirectories, isDeep }: CheckContext,
): readonly Finding[] {
  const key = new ChainKey(store.auditKey);
  try {
    const result = verifyAuditLog(auditDirectories, key, {
      history: () => store.history(),
      // Verifying a log of 512 MiB takes many seconds.
      maxBytes: isDeep ? Infinity : MAX_FILE_BYTES,
    });
    if (result === undefined) return [audit.ok("nothing has been audited yet")];
    const { files, unread, lines, damage } = result;
    if (damage !== undefined) return [damagedLog(auditDirectories, damage)];
    const extent = `${counted(lines, "line")} in ${counted(files - unread, "file")} verified`;
    const rest = `; ${counted(unread, "older file")} not verified (run \`svc audit verify\`)`;
    return [audit.ok(unread === 0 ? extent : extent + rest)];
  } catch (thrown) {
    const { message, hint } = toSvcError(thrown);
    return [audit.failed(message, hint ?? "Run `svc audit verify`.")];
  }
}

function damagedLog(
  { directory }: AuditDirectories,
  { file, line, kind, detail }: Damage,
): Finding {
  const place = line === undefined ? file : `${file}, line ${line}`;
  return audit.failed(
    `${place}: ${kind} (${detail})`,
    `Keep a copy (\`cp -a ${quoted(directory)} ${quoted(`${directory}-copy`)}\`) and check who can write there; \`svc audit verify\` shows how much of it is valid.`,
  );
}
