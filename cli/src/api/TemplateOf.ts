/** Finds a template by name or id. */
import type { Template } from "@posthorn/client"
import { Effect, Option, Stream } from "effect"
import { Argument } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { Api } from "./Api.ts"
import { findNamed } from "./NamedOf.ts"

export const templateArgument = Argument.String("template").pipe(
  Argument.withDescription("Name of the template if it is unique, or its id")
)

export const everyTemplate = Effect.gen(function* () {
  const { items } = yield* Api
  return yield* Stream.runCollect(items(({ templates }) => templates.list({ pageSize: 100 })))
})

/** Finds one of these templates, which are all of the project. */
export const templateAmong = Effect.fnUntraced(function* (
  all: ReadonlyArray<Template>,
  given: string
): Effect.fn.Return<Template, CommandFailure> {
  const found = yield* findNamed(all, given, "templates")
  if (Option.isSome(found)) return found.value
  return yield* new CommandFailure({
    exit: "notFound",
    code: "TEMPLATE_NOT_FOUND",
    message: `The project has no template ${given}.`,
    suggestion: "`posthorn templates list` shows those it has."
  })
})

export const templateOf = (given: string) => Effect.flatMap(everyTemplate, (all) => templateAmong(all, given))
