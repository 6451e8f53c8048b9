/**
 * A test run as a file: what the contact does and what is expected, with names of steps. The file has no ids, so that it
 * can be used in another project.
 */
import type { StartTestRun, Step, TestRun } from "@posthorn/client"
import { Effect, Option, Schema } from "effect"
import { type CommandFailure, wrongUsage } from "../Failure.ts"
import type { Api } from "./Api.ts"
import { contactOf } from "./Lookups.ts"

const Fields = Schema.Record(Schema.String, Schema.Unknown)

const Expected = Schema.Struct({
  status: Schema.optionalKey(Schema.String),
  exitReason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  converted: Schema.optionalKey(Schema.Boolean),
  /** Names of steps in the order of their visits. */
  steps: Schema.optionalKey(Schema.Array(Schema.String))
})

/** The service checks the fields that it takes. */
const Script = Schema.Struct({
  /** Fields of a contact that exists in this run only. */
  contact: Schema.optionalKey(Fields),
  event: Schema.optionalKey(Fields),
  start: Schema.optionalKey(Schema.String),
  script: Schema.optionalKey(Schema.Array(Fields)),
  branches: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  webhooks: Schema.optionalKey(Fields),
  expect: Schema.optionalKey(Expected)
})
type Script = typeof Script.Type

export const decodeScript = Schema.decodeUnknownEffect(Script, { onExcessProperty: "error" })

type Tested = Pick<StartTestRun, "contact" | "contactId">

/** The stored contact, or one that exists in this run only. */
export const testedContact = (given: string, { contact }: Script): Effect.Effect<Tested, CommandFailure, Api> => {
  const madeUp = { contact: { ...contact, email: given } }
  if (contact !== undefined && given.includes("@")) return Effect.succeed(madeUp)
  return contactOf(given).pipe(
    Effect.map(({ id }): Tested => ({ contactId: id })),
    Effect.catchIf(
      ({ code }) => code === "CONTACT_NOT_FOUND" && given.includes("@"),
      () => Effect.succeed<Tested>(madeUp)
    )
  )
}

/** The request, with the ids of the steps that the file names. */
export const testRunOf = Effect.fnUntraced(function* (
  { script, branches, webhooks, event, start }: Script,
  steps: ReadonlyArray<Pick<Step, "id" | "name">>,
  tested: Tested
): Effect.fn.Return<StartTestRun, CommandFailure> {
  const idOf = (given: string) => {
    const [found, ...others] = steps.filter(({ id, name }) => name === given || id === given)
    if (found === undefined) return Effect.fail(wrongUsage(`The workflow has no step ${given}.`))
    return others.length > 0
      ? Effect.fail(wrongUsage(`Several steps have the name ${given}.`, "Give the id of the step."))
      : Effect.succeed(found.id)
  }
  const entries = yield* Effect.forEach(script ?? [], (entry) =>
    Effect.gen(function* () {
      const { open, click } = entry
      return {
        ...entry,
        ...(typeof open === "string" && { open: yield* idOf(open) }),
        ...(typeof click === "string" && { click: yield* idOf(click) })
      }
    })
  )
  const byId = <A>(named: { readonly [name: string]: A } | undefined) =>
    Effect.map(
      Effect.forEach(Object.entries(named ?? {}), ([name, value]) =>
        Effect.map(idOf(name), (id) => [id, value] as const)
      ),
      Object.fromEntries
    )
  const request: object = {
    ...tested,
    ...(event !== undefined && { event }),
    ...(start !== undefined && { start }),
    script: entries,
    branches: yield* byId(branches),
    webhooks: yield* byId(webhooks)
  }
  return request as StartTestRun
})

/** What differs from the expectation, in words. */
export const differencesOf = (expected: Script["expect"], { outcome, visits }: TestRun): ReadonlyArray<string> => {
  const values = (["status", "exitReason", "converted"] as const).flatMap((field) => {
    const wanted = Option.fromUndefinedOr(expected?.[field])
    return Option.isSome(wanted) && wanted.value !== outcome[field]
      ? [`${field} is ${outcome[field]}, not ${wanted.value}`]
      : []
  })
  const [course, wanted] = [visits.map(({ name }) => name).join(", "), expected?.steps?.join(", ")]
  return wanted === undefined || wanted === course ? values : [...values, `the steps are ${course}, not ${wanted}`]
}
