/** The public key of the publisher, in the format of minisign. Empty until releases are published: docs/releasing.md. */
export const RELEASE_KEY: string = "";
