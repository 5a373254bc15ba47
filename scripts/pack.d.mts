interface PackOptions {
  /** Folder for intermediate files. */
  readonly work: string;
  readonly assets: string;
  readonly boot: string;
  readonly version: string;
  readonly output: string;
  /** In Node's words; `node` is the path of its Node. */
  readonly target?: { readonly platform: string; readonly arch: string; readonly node: string };
}

export function pack(packing: PackOptions): Promise<void>;
