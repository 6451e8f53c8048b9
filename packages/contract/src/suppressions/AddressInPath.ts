/** An address as a part of a path, URL-encoded. Any text passes here: what is malformed is a 422 of the endpoint. */
import { Schema } from "effect"

export const AddressInPath = Schema.String.annotate({ format: "email", description: "The address, URL-encoded." })
