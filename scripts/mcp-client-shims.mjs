// What the client of the MCP SDK gets for its platform, in the bundle. The bridge passes results on as the server sent them, so the
// SDK's own validators of JSON Schema (0.2 MB for Node, 30 KB for others) would be unused weight.

/** Only browsers hide failures of the network behind rules for other origins. */
export const CORS_IS_POSSIBLE = false;

/** The client makes one when it starts, and would use it only for the results of `callTool`. */
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("The program has no validator of JSON Schema for results of tools.");
  }
}
