/** Finds a workflow by name or id. */
import type { ListedWorkflow } from "@posthorn/client"
import { Effect, Option, Stream } from "effect"
import { Argument } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { Api } from "./Api.ts"
import { findNamed } from "./NamedOf.ts"

export const workflowArgument = Argument.String("workflow").pipe(
  Argument.withDescription("Name of the workflow if it is unique, or its id")
)

const everyWorkflow = Effect.gen(function* () {
  const { items } = yield* Api
  return yield* Stream.runCollect(items(({ workflows }) => workflows.list({ pageSize: 100 })))
})

/** None if the project has no match. A name that several workflows have is refused. */
export const findWorkflow = (given: string) =>
  Effect.flatMap(everyWorkflow, (all) => findNamed(all, given, "workflows"))

export const workflowOf = Effect.fnUntraced(function* (
  given: string
): Effect.fn.Return<ListedWorkflow, CommandFailure, Api> {
  const found = yield* findWorkflow(given)
  if (Option.isSome(found)) return found.value
  return yield* new CommandFailure({
    exit: "notFound",
    code: "WORKFLOW_NOT_FOUND",
    message: `The project has no workflow ${given}.`,
    suggestion: "`posthorn workflows list` shows those it has."
  })
})
