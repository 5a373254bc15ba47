/** The files of a release: a folder, or a server. */
export interface ReleaseSource {
  /** As the user named it. */
  readonly name: string;
  /** True if fewer bytes are faster than no decompression. */
  readonly isRemote: boolean;
  /** Undefined if there is no such file. Throws UPGRADE_FAILED, also for one with more bytes. */
  readonly read: (file: string, maxBytes: number) => Promise<Buffer | undefined>;
  /** Throws UPGRADE_FAILED. */
  readonly stream: (file: string) => AsyncIterable<Uint8Array>;
  readonly close: () => Promise<void>;
}
