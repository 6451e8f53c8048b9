import { Schema } from "effect"
import { Id } from "../../platform/Primitives.ts"

export const WorkflowId = Id.pipe(Schema.brand("WorkflowId"))
export type WorkflowId = typeof WorkflowId.Type
