/** Changes the contact in the transaction that ends the visit. */
import { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import { UpdateContactConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import { type DateTime, Effect, Equal, Schema } from "effect"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { Contacts } from "../../../audience/contacts/Contacts.ts"
import { TextWork } from "../../../content/text/TextWork.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { RunStore } from "../run/RunStore.ts"
import { renderJson } from "./Rendered.ts"
import type { Outcome, RunStep, StepContext } from "./StepType.ts"

export type Needs = Contacts | Projects | RunStore | Transaction

const readConfig = Schema.decodeUnknownSync(UpdateContactConfig)
const isData = Schema.is(ContactData)

const invalid = (message: string): Outcome => ({ _tag: "Failed", code: "invalid_data", message })

const actions = { none: undefined, subscribe: true, unsubscribe: false }

const changedKeys = (before: Schema.JsonObject, after: Schema.JsonObject): ReadonlyArray<string> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !Equal.equals(before[key], after[key]))
    .sort()

export const make: Effect.Effect<RunStep, never, Needs> = Effect.gen(function* () {
  const contacts = yield* Contacts
  const work = yield* TextWork
  const projects = yield* Projects
  const store = yield* RunStore
  const transaction = yield* Transaction

  const update = Effect.fnUntraced(
    function* ({ execution, contact, step, ...visitor }: StepContext) {
      const { updates, subscriptionAction } = readConfig(step.config)
      const project = yield* Effect.orDie(projects.getCached(execution.projectId))
      const at = { execution, contact, step, ...visitor }
      const data = yield* renderJson(work, updates ?? {}, at, project, { keepTypes: false })
      if (!isData(data)) return invalid("The rendered updates are over the limits of a contact's data.")
      const subscribed = actions[subscriptionAction ?? "none"]
      const altered = yield* transaction.attempt(
        contacts.alter(execution.projectId, contact.id, { data, subscribed }, { reason: "workflow" })
      )
      yield* store.noteOrigins(execution, altered.events)
      const keys = changedKeys(contact.data, altered.contact.data)
      const changed = keys.length > 0 || contact.subscribed !== altered.contact.subscribed
      return {
        _tag: "Done",
        output: { changedKeys: keys, subscribed: altered.contact.subscribed, changed },
        contact: altered.contact
      } satisfies Outcome
    },
    Effect.catchTags({
      TemplateInvalid: ({ message }) => Effect.succeed(invalid(message)),
      RenderBudget: ({ message }) => Effect.succeed(invalid(message)),
      DataTooLarge: () => Effect.succeed(invalid("The contact's data would be over its limits after the merge.")),
      // Its row is there as long as that of the execution is locked.
      CONTACT_NOT_FOUND: Effect.die
    })
  )

  // One after the other: what one changes about a contact the next one finds.
  return Effect.fnUntraced(function* (at: ReadonlyArray<StepContext>, _now: DateTime.Utc) {
    const changed = new Map<string, StepContext["contact"]>()
    return yield* Effect.forEach(at, (visitor) => {
      const key = `${visitor.execution.projectId}:${visitor.contact.id}`
      return Effect.tap(update({ ...visitor, contact: changed.get(key) ?? visitor.contact }), (outcome) =>
        Effect.sync(() => {
          if (outcome._tag === "Done" && outcome.contact) changed.set(key, outcome.contact)
        })
      )
    })
  })
})
