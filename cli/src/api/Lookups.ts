/** Finds resources by id, name or address. */
import type { Contact, Segment, TemplateSummary } from "@posthorn/client"
import { Effect, Option, Stream } from "effect"
import { Argument } from "effect/cli"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { Api } from "./Api.ts"

interface Named {
  readonly id: string
  readonly name: string
}

/** None if nothing matches. Fails if several resources have the name. `kind` is the plural, such as `workflows`. */
export const findNamed = <A extends Named>(
  all: ReadonlyArray<A>,
  given: string,
  kind: string
): Effect.Effect<Option.Option<A>, CommandFailure> => {
  const exact = all.find(({ id }) => id === given.toLowerCase())
  if (exact !== undefined) return Effect.succeedSome(exact)
  const found = all.filter(({ name }) => name === given)
  if (found.length < 2) return Effect.succeed(Option.fromNullishOr(found[0]))
  const ids = found.map(({ id }) => id).join(", ")
  return Effect.fail(
    wrongUsage(`${found.length} ${kind} have the name ${given}.`, `Use the id of one of them: ${ids}.`)
  )
}

export const templateArgument = Argument.String("template").pipe(
  Argument.withDescription("Name of the template if it is unique, or its id")
)

export const everyTemplate = Effect.gen(function* () {
  const { items } = yield* Api
  return yield* Stream.runCollect(items(({ templates }) => templates.list({ pageSize: 100 })))
})

/** Finds one of these templates, which are all templates of the project. */
export const templateAmong = Effect.fnUntraced(function* (
  all: ReadonlyArray<TemplateSummary>,
  given: string
): Effect.fn.Return<TemplateSummary, CommandFailure> {
  const found = yield* findNamed(all, given, "templates")
  if (Option.isSome(found)) return found.value
  return yield* new CommandFailure({
    exit: "notFound",
    code: "TEMPLATE_NOT_FOUND",
    message: `The project has no template ${given}.`,
    suggestion: "`posthorn templates list` shows its templates."
  })
})

/** With all of its texts, which lists omit. */
export const templateOf = Effect.fnUntraced(function* (given: string) {
  const { call } = yield* Api
  const { id } = yield* templateAmong(yield* everyTemplate, given)
  return yield* call(({ templates }) => templates.get(id))
})

export const contactArgument = Argument.String("contact").pipe(
  Argument.withDescription("Address of the contact, or its id")
)

const notFound = (email: string) =>
  new CommandFailure({
    exit: "notFound",
    code: "CONTACT_NOT_FOUND",
    message: `The project has no contact ${email}.`,
    suggestion: "`posthorn contacts list --search` finds contacts by a part of the address."
  })

export const contactOf = Effect.fnUntraced(function* (
  addressOrId: string
): Effect.fn.Return<Contact, CommandFailure, Api> {
  const { call, items } = yield* Api
  if (!addressOrId.includes("@")) return yield* call(({ contacts }) => contacts.get(addressOrId))
  const email = addressOrId.trim().toLowerCase()
  const found = yield* items(({ contacts }) => contacts.list({ search: email, limit: 100 })).pipe(
    Stream.filter((contact) => contact.email === email),
    Stream.runHead
  )
  return Option.isSome(found) ? found.value : yield* notFound(email)
})

export const segmentArgument = Argument.String("segment").pipe(
  Argument.withDescription("Slug of the segment, its name if it is unique, or its id")
)

/** Tries ids and slugs first, because they are unique. */
export const segmentOf = Effect.fnUntraced(function* (given: string): Effect.fn.Return<Segment, CommandFailure, Api> {
  const { call } = yield* Api
  const all = yield* call(({ segments }) => segments.list())
  const exact = all.find(({ id, slug }) => id === given.toLowerCase() || slug === given)
  if (exact !== undefined) return exact
  const [found, ...others] = all.filter(({ name }) => name === given)
  if (found !== undefined && others.length === 0) return found
  if (found !== undefined) {
    return yield* wrongUsage(
      `${others.length + 1} segments have the name ${given}.`,
      `Use the slug of one of them: ${[found, ...others].map(({ slug }) => slug).join(", ")}.`
    )
  }
  return yield* new CommandFailure({
    exit: "notFound",
    code: "SEGMENT_NOT_FOUND",
    message: `The project has no segment ${given}.`,
    suggestion: "`posthorn segments list` shows its segments."
  })
})

/** The argument of commands on a single campaign. */
export const campaignId = Argument.String("id").pipe(
  Argument.withDescription("Id of the campaign, from `posthorn campaigns list`")
)
