/** An address in a path, URL-encoded. Any text passes here. The endpoint answers 422 for a malformed address. */
import { Schema } from "effect"

export const AddressInPath = Schema.String.annotate({ format: "email", description: "The address, URL-encoded." })
