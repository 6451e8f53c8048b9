/** Tells runners that executions have become due. */
import { Context, Layer } from "effect"
import { make, type Nudge } from "../../Nudge.ts"

export class RunNudge extends Context.Service<RunNudge, Nudge>()("@posthorn/core/workflows/run/RunNudge") {}

export const layer: Layer.Layer<RunNudge> = Layer.effect(RunNudge, make("executions"))
