/** Path of what the build makes, `dist/svc`. */
export function executable(): string;

/** Environment that keeps all that svc writes below `folder`. */
export function serviceFolders(folder: string): Readonly<Record<string, string>>;
