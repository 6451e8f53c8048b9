import { Schema } from "effect"
import { Id } from "../Wire.ts"

export const WorkflowId = Id.pipe(Schema.brand("WorkflowId"))
export type WorkflowId = typeof WorkflowId.Type
