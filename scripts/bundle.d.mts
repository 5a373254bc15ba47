interface BundleOptions {
  /** Folder that gets the chunks (code/) and the script of the page. */
  readonly assets: string;
  /** File that gets the code that loads them. */
  readonly boot: string;
  readonly version: string;
}

export function bundle(bundling: BundleOptions): Promise<object>;

/** Writes the boot code of the npm package. */
export function bundlePackageBoot(options: {
  readonly outfile: string;
  readonly version: string;
}): Promise<object>;

/** Paths from the root of all files that are part of the program or its page; writes nothing. */
export function bundledFiles(): Promise<readonly string[]>;

/** The code for the browser, as one module named `outfile`; writes nothing. */
export function bundlePage(outfile: string): Promise<{
  readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array }[];
}>;
