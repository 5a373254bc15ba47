import type { PostgresDescription } from "../backend/backend.ts";
import type { Settings } from "../config/settings.ts";
import type { CredentialBackend } from "../credentials/backend.ts";
import type { SealedStoreAdmin } from "../credentials/sealed/store-admin.ts";
import type { Finding } from "./finding.ts";
import type { Inventory } from "./inventory.ts";

/** Input of the checks. */
export interface CheckContext {
  readonly settings: Settings;
  /** Undefined if the credentials are not in a store of this machine. */
  readonly sealedStore: (() => Promise<SealedStoreAdmin>) | undefined;
  /** Opens the credentials of other settings. The caller closes them. */
  readonly credentialsOf: (settings: Settings) => CredentialBackend;
  /** Where the shared backend is; undefined if everything is in files of this machine. */
  readonly sharedBackend: PostgresDescription | undefined;
  /** `--deep`: read all data, instead of only a quick check. */
  readonly isDeep: boolean;
  readonly signal: AbortSignal;
}

/** Checks one thing. Changes no file of svc or of the project; an error that it throws becomes a finding. */
export interface Check {
  readonly name: string;
  readonly run: (
    context: CheckContext,
    inventory: Inventory,
  ) => Promise<readonly Finding[]> | readonly Finding[];
}
