/** Returns whether a file of this name gives values to environment variables, one in each line: `.env.example`, `server.env`. */
export function isEnvironmentFile(baseName: string): boolean {
  return /^\.env|\.env$|(?:^|\.)env[._-](?:example|sample|template|dist|defaults?|local|development|production|test)$/i.test(
    baseName,
  );
}
