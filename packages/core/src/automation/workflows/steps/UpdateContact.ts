/** Changes the contact, in the transaction that ends the visit. */
import { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import { UpdateContactConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Effect, Equal, Option, Schema } from "effect"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { Contacts } from "../../../audience/contacts/Contacts.ts"
import { dataChange, reservedKeys } from "../../../audience/contacts/DataChange.ts"
import { type TopicsChange, topicsChange } from "../../../audience/contacts/TopicsChange.ts"
import * as TopicChoice from "../../../audience/topics/TopicChoice.ts"
import { Topics } from "../../../audience/topics/Topics.ts"
import { TextWork } from "../../../content/text/TextWork.ts"
import { dataName } from "../../../events/ChangeNotes.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { RunStore } from "../run/RunStore.ts"
import { renderJson } from "./Rendered.ts"
import type { RunStep, StepChecks, StepContent, StepDefinition, StepInput, StepOutcome } from "./StepDefinition.ts"

const readConfig = Schema.decodeUnknownSync(UpdateContactConfig)
const isData = Schema.is(ContactData)

const invalid = (message: string): StepOutcome => ({ _tag: "Failed", code: "invalid_data", message })

const actions = { none: undefined, subscribe: true, unsubscribe: false }

const changedKeys = (before: Schema.JsonObject, after: Schema.JsonObject): ReadonlyArray<string> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !Equal.equals(before[key], after[key]))
    .sort()

type TopicLists = Pick<StepInput["contact"], "topicsOff" | "topicsOn">

/** The lists of the contact after the change. */
const listsAfter = ({ topicsOn, topicsOff }: TopicLists, { on, off, unset }: TopicsChange): TopicLists => {
  const next = (list: ReadonlyArray<string> | null, added: ReadonlyArray<string>, others: ReadonlyArray<string>) => [
    ...new Set([...(list ?? []).filter((id) => !others.includes(id) && !unset.includes(id)), ...added])
  ]
  return { topicsOn: next(topicsOn, on, off), topicsOff: next(topicsOff, off, on) }
}

const areSame = (before: TopicLists, after: TopicLists): boolean =>
  (["topicsOn", "topicsOff"] as const).every(
    (list) => new Set(before[list]).symmetricDifference(new Set(after[list])).size === 0
  )

const run = Effect.gen(function* () {
  const contacts = yield* Contacts
  const allTopics = yield* Topics
  const work = yield* TextWork
  const projects = yield* Projects
  const store = yield* RunStore
  const transaction = yield* Transaction

  /** What the step sets, by the ids of the topics. One that is archived by now counts; one that is gone does not. */
  const topicsOf = Effect.fnUntraced(function* (project: ProjectId, { topics }: UpdateContactConfig) {
    if (topics == null) return undefined
    const known = yield* allTopics.resolve(project, Object.keys(topics))
    const states = Object.entries(topics).flatMap(([name, state]) => {
      const id: string | undefined = known.get(name)?.id
      return id === undefined ? [] : [[id, state] as const]
    })
    return topicsChange(Object.fromEntries(states))
  })

  const update = Effect.fnUntraced(
    function* (input: StepInput) {
      const { execution, contact, step } = input
      const config = readConfig(step.config)
      const { updates, subscriptionAction } = config
      const project = yield* Effect.orDie(projects.getCached(execution.projectId))
      const data = yield* renderJson(work, updates ?? {}, input, project, { keepTypes: false })
      if (!isData(data)) return invalid("The rendered updates are over the limits of a contact's data.")
      const subscribed = actions[subscriptionAction ?? "none"]
      const topics = yield* topicsOf(execution.projectId, config)
      const altered = yield* transaction.attempt(
        contacts.alter(
          execution.projectId,
          contact.id,
          { data, subscribed, topics, asking: { isPublic: false } },
          { reason: "workflow" }
        )
      )
      yield* store.noteOrigins(execution, altered.events)
      const keys = changedKeys(contact.data, altered.contact.data)
      const lists = altered.topics === undefined ? contact : listsAfter(contact, altered.topics)
      const changed = keys.length > 0 || contact.subscribed !== altered.contact.subscribed || !areSame(contact, lists)
      return {
        _tag: "Done",
        output: {
          changedKeys: keys,
          subscribed: altered.contact.subscribed,
          ...(topics !== undefined && { topics: altered.contact.topics }),
          changed
        },
        contact: { ...contact, ...altered.contact, topicsOn: lists.topicsOn, topicsOff: lists.topicsOff }
      } satisfies StepOutcome
    },
    Effect.catchTags({
      TemplateInvalid: ({ message }) => Effect.succeed(invalid(message)),
      RenderBudget: ({ message }) => Effect.succeed(invalid(message)),
      VALIDATION_ERROR: ({ errors }) => Effect.succeed(invalid(errors[0]?.message ?? "The contact cannot be asked.")),
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
const faults = ({ updates, subscriptionAction, topics }: UpdateContactConfig): ReadonlyArray<Fault> => {
  const { remove, set } = dataChange(updates ?? {})
  const changesData = remove.length + Object.keys(set).length > 0
  return changesData || topics != null || (subscriptionAction ?? "none") !== "none"
    ? []
    : [{ field: "config.updates", code: "required", message: "The step has to change something." }]
}

const fieldsIn = ({ updates }: UpdateContactConfig): ReadonlyArray<string> =>
  Object.keys(updates ?? {})
    .filter((key) => !reservedKeys.has(key))
    .map(dataName)

const checks = Effect.gen(function* () {
  const topics = yield* TopicChoice.make
  /** Topics that do not exist. The others stay until the step is stored. */
  const save = Effect.fnUntraced(function* (project: ProjectId, { config }: StepContent) {
    const names = Object.keys((config as UpdateContactConfig).topics ?? {}).sort()
    const found = yield* Effect.forEach(names, (name) => Effect.map(topics.hold(project, name), Option.isSome))
    return names
      .filter((_, n) => !found[n])
      .map(
        (name): Fault => ({ field: `config.topics.${name}`, code: "custom", message: "No such topic in this project." })
      )
  })
  return { config: (config) => faults(config as UpdateContactConfig), save } satisfies StepChecks
})

export const updateContact: StepDefinition<
  Contacts | Projects | RunStore | Topics | Transaction,
  Effect.Services<typeof TopicChoice.make>
> = {
  uses: (config) => ({ segments: [], names: fieldsIn(config as UpdateContactConfig) }),
  checks,
  run
}
