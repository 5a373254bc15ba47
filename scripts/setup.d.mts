/** Path of what the build makes, `dist/svc`. */
export function executable(): string;
