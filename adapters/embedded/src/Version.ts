/** The version of this package, which is the version of the service. */
import { Schema } from "effect"
import manifest from "../package.json" with { type: "json" }

export const version: string = Schema.decodeUnknownSync(Schema.Struct({ version: Schema.String }))(manifest).version
