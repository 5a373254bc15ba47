/** Path of the built program, `dist/svc`. */
export function executable(): string;

/** Environment that keeps all that svc writes below `folder`. */
export function serviceFolders(folder: string): Readonly<Record<string, string>>;

/** Version of the Node that builds, tests and is packed, `24.21.0`. */
export function pinnedVersion(): string;
