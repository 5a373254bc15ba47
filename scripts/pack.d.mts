export interface PackTarget {
  /** In Node's terms. */
  readonly platform: string;
  readonly arch: string;
  /** The path of its Node. */
  readonly node: string;
  readonly nodeVersion: string;
}

interface PackOptions {
  /** Folder for intermediate files. */
  readonly work: string;
  readonly assets: string;
  readonly boot: string;
  readonly version: string;
  readonly output: string;
  /** This platform if not given. */
  readonly target?: PackTarget;
  /** A Node that runs here, of the target's version; the running one if not given. */
  readonly generator?: string;
}

export function pack(packing: PackOptions): void;
