/** A template by its name or its id (rulings 27). */
import type { Template } from "@posthorn/client"
import { Effect, Option, Stream } from "effect"
import { Argument } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { Api } from "./Api.ts"
import { findNamed } from "./NamedOf.ts"

export const templateArgument = Argument.String("template").pipe(
  Argument.withDescription("Name of the template where only one has it, or its id")
)

export const everyTemplate = Effect.gen(function* () {
  const { items } = yield* Api
  return yield* Stream.runCollect(items(({ templates }) => templates.list({ pageSize: 100 })))
})

/** One of these, which are all that the project has. */
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
