/** Changes the contact, in the transaction that ends the visit. */
import { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import { UpdateContactConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Effect, Equal, Schema } from "effect"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { Contacts } from "../../../audience/contacts/Contacts.ts"
import { dataChange, reservedKeys } from "../../../audience/contacts/DataChange.ts"
import { TextWork } from "../../../content/text/TextWork.ts"
import { dataName } from "../../../events/ChangeNotes.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { RunStore } from "../run/RunStore.ts"
import { renderJson } from "./Rendered.ts"
import type { RunStep, StepDefinition, StepInput, StepOutcome } from "./StepDefinition.ts"

const readConfig = Schema.decodeUnknownSync(UpdateContactConfig)
const isData = Schema.is(ContactData)

const invalid = (message: string): StepOutcome => ({ _tag: "Failed", code: "invalid_data", message })

const actions = { none: undefined, subscribe: true, unsubscribe: false }

const changedKeys = (before: Schema.JsonObject, after: Schema.JsonObject): ReadonlyArray<string> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !Equal.equals(before[key], after[key]))
    .sort()

const run = Effect.gen(function* () {
  const contacts = yield* Contacts
  const work = yield* TextWork
  const projects = yield* Projects
  const store = yield* RunStore
  const transaction = yield* Transaction

  const update = Effect.fnUntraced(
    function* (input: StepInput) {
      const { execution, contact, step } = input
      const { updates, subscriptionAction } = readConfig(step.config)
      const project = yield* Effect.orDie(projects.getCached(execution.projectId))
      const data = yield* renderJson(work, updates ?? {}, input, project, { keepTypes: false })
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
      } satisfies StepOutcome
    },
    Effect.catchTags({
      TemplateInvalid: ({ message }) => Effect.succeed(invalid(message)),
      RenderBudget: ({ message }) => Effect.succeed(invalid(message)),
      DataTooLarge: () => Effect.succeed(invalid("The contact's data would be over its limits after the merge.")),
      // The contact exists while its execution is locked.
      CONTACT_NOT_FOUND: Effect.die
    })
  )

  // In sequence, since executions of one contact see each other's changes.
  const all: RunStep = Effect.fnUntraced(function* (inputs) {
    const changed = new Map<string, StepInput["contact"]>()
    return yield* Effect.forEach(inputs, (input) => {
      const key = `${input.execution.projectId}:${input.contact.id}`
      return Effect.tap(update({ ...input, contact: changed.get(key) ?? input.contact }), (outcome) =>
        Effect.sync(() => {
          if (outcome._tag === "Done" && outcome.contact) changed.set(key, outcome.contact)
        })
      )
    })
  })
  return all
})

/** A step that changes nothing is a mistake. */
const faults = ({ updates, subscriptionAction }: UpdateContactConfig): ReadonlyArray<Fault> => {
  const { remove, set } = dataChange(updates ?? {})
  const changesData = remove.length + Object.keys(set).length > 0
  return changesData || (subscriptionAction ?? "none") !== "none"
    ? []
    : [{ field: "config.updates", code: "required", message: "The step has to change something." }]
}

const fieldsIn = ({ updates }: UpdateContactConfig): ReadonlyArray<string> =>
  Object.keys(updates ?? {})
    .filter((key) => !reservedKeys.has(key))
    .map(dataName)

export const updateContact: StepDefinition<Contacts | Projects | RunStore | Transaction, never> = {
  uses: (config) => ({ segments: [], names: fieldsIn(config as UpdateContactConfig) }),
  checks: Effect.succeed({ config: (config) => faults(config as UpdateContactConfig) }),
  run
}
