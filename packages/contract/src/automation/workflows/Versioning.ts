/** How a workflow is edited. */
import { Schema } from "effect"

export const Versioning = Schema.Literals(["LIVE", "PUBLISHED"])
export type Versioning = typeof Versioning.Type
