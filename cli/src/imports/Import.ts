/** Imports what a source has into the project of the key. */
import type { Posthorn } from "@posthorn/client"
import { Effect, Option, Ref, Stream } from "effect"
import { Api } from "../api/Api.ts"
import { everyTemplate } from "../api/Lookups.ts"
import { type CommandFailure, wrongUsage } from "../Failure.ts"
import { progress } from "../output/Progress.ts"
import {
  type ImportCounts,
  type ImportProblem,
  type ImportStage,
  type ImportState,
  newStage,
  noCounts,
  read as readState,
  withProblems,
  write as writeState
} from "./ImportState.ts"
import type {
  Gap,
  ImportSource,
  SourceContact,
  SourcePages,
  SourceSegment,
  SourceTemplate,
  SourceTopic
} from "./Source.ts"

export interface SourceImport {
  readonly source: ImportSource
  readonly sourceUrl: string
  /** Only read and count. */
  readonly dryRun: boolean
  /** The file of the state. */
  readonly file: string
  /** Sender of templates that have none, or one without a verified domain here. */
  readonly from: string | undefined
}

export interface ImportReport {
  readonly source: string
  readonly dryRun: boolean
  readonly finished: boolean
  readonly counts: { readonly [stage: string]: ImportCounts }
  readonly gaps: ReadonlyArray<Gap>
  readonly problems: ReadonlyArray<ImportProblem>
  readonly problemCount: number
}

/** Calls at once. */
const concurrency = 8
const mostTries = 8

interface Written {
  readonly counts: Partial<ImportCounts>
  /** Items that a later run can store. */
  readonly waiting?: number
  readonly problems?: ReadonlyArray<ImportProblem>
}

const plus = (one: ImportCounts, other: Partial<ImportCounts>): ImportCounts => ({
  read: one.read + (other.read ?? 0),
  created: one.created + (other.created ?? 0),
  existing: one.existing + (other.existing ?? 0),
  refused: one.refused + (other.refused ?? 0)
})

const together = (all: ReadonlyArray<Written>): Written => ({
  counts: all.reduce((sum, { counts }) => plus(sum, counts), noCounts),
  waiting: all.reduce((sum, { waiting = 0 }) => sum + waiting, 0),
  problems: all.flatMap(({ problems = [] }) => problems)
})

/** Faults of one item, which do not end the import. */
const isOfItem = ({ statusCode }: CommandFailure): boolean =>
  statusCode === 400 || statusCode === 409 || statusCode === 413 || statusCode === 422

const sentenceOf = ({ message, errors = [] }: CommandFailure): string =>
  errors.length === 0 ? message : errors.map(({ field, message }) => `${field}: ${message}`).join(" ")

const refusal = (what: string) => (failure: CommandFailure) =>
  isOfItem(failure)
    ? Effect.succeed<Written>({ counts: { refused: 1 }, problems: [{ what, why: sentenceOf(failure) }] })
    : Effect.fail(failure)

const chunksOf = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** A second resource of a name gets the id of the source behind it, the same in every run. */
export const distinctNames = <A extends { readonly id: string; readonly name: string }>(
  items: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const seen = new Set<string>()
  return items.map((item) => {
    const plain =
      item.name
        .replace(/[\p{Cc}\s]+/gu, " ")
        .trim()
        .slice(0, 100) || item.id.slice(0, 100)
    const name = seen.has(plain)
      ? `${plain.slice(0, 98 - Math.min(item.id.length, 40))} ${item.id.slice(0, 40)}`
      : plain
    seen.add(name)
    return { ...item, name }
  })
}

const make = Effect.fnUntraced(function* ({ source, dryRun, file, from, sourceUrl }: SourceImport) {
  const api = yield* Api
  const project = yield* api.project
  const bar = yield* progress("items")

  const found = dryRun ? Option.none<ImportState>() : yield* readState(file)
  if (Option.isSome(found)) {
    const { value } = found
    if (value.source !== source.name || value.sourceUrl !== sourceUrl || value.project !== project) {
      return yield* wrongUsage(
        `${file} is the state of another import.`,
        "Name another file with --state, or remove that one."
      )
    }
  }
  const begun: ImportState = {
    version: 1,
    source: source.name,
    sourceUrl,
    project,
    stages: {},
    segments: {},
    problems: [],
    problemCount: 0
  }
  const state = yield* Ref.make(Option.getOrElse(found, () => begun))
  const save = dryRun ? Effect.void : Effect.flatMap(Ref.get(state), (now) => writeState(file, now))

  /** Repeats a call that was refused for its rate, or that met an outage. All calls here can be repeated. */
  const call = <A>(send: (client: Posthorn) => ReturnType<Parameters<typeof api.call<A>>[0]>) =>
    Effect.gen(function* () {
      for (let tries = 1; ; tries++) {
        const answer = yield* Effect.result(api.call<A>(send))
        if (answer._tag === "Success") return answer.success
        const { statusCode = 0, exit, details } = answer.failure
        const isPassing = statusCode === 429 || statusCode >= 500 || (statusCode === 0 && exit === "unreachable")
        if (!isPassing || tries === mostTries) return yield* Effect.fail(answer.failure)
        const wanted = Number(details?.["retryAfter"] ?? 2 ** (tries - 1))
        yield* Effect.sleep(`${Math.min(60, Math.max(1, wanted || 1))} seconds`)
      }
    })

  const stageOf = (name: string) => Effect.map(Ref.get(state), ({ stages }) => stages[name] ?? newStage)

  /** Adds to the counts of a stage. */
  const count = (name: string, counts: Partial<ImportCounts>) =>
    Ref.update(state, (before) => {
      const stage = before.stages[name] ?? newStage
      return { ...before, stages: { ...before.stages, [name]: { ...stage, counts: plus(stage.counts, counts) } } }
    })

  /** Reads the pages from the cursor of the stage on, stores each, and then saves how far it is. */
  const stage = <A, E, R>(
    name: string,
    pages: (
      cursor: string | null
    ) => Effect.Effect<{ items: ReadonlyArray<A>; next: string | null; total?: number | undefined }, E, R>,
    store: (items: ReadonlyArray<A>) => Effect.Effect<Written, CommandFailure>
  ) =>
    Effect.gen(function* () {
      let open = false
      let now: ImportStage = yield* stageOf(name)
      if (now.isDone) return
      for (;;) {
        const page = yield* pages(now.cursor)
        const written = yield* store(page.items)
        open ||= (written.waiting ?? 0) > 0
        const counts = plus(now.counts, { ...written.counts, read: page.items.length })
        now = { cursor: page.next, isDone: page.next === null && !open, counts }
        yield* Ref.update(state, (before) =>
          withProblems({ ...before, stages: { ...before.stages, [name]: now } }, written.problems ?? [])
        )
        yield* save
        yield* bar.show(counts.read, page.total)
        if (page.next === null) return
      }
    })

  const whole =
    <A>(items: Effect.Effect<ReadonlyArray<A>, CommandFailure>) =>
    () =>
      Effect.map(items, (all) => ({ items: all, next: null }))

  const perItem =
    <A>(each: (item: A) => Effect.Effect<Written, CommandFailure>) =>
    (items: ReadonlyArray<A>) =>
      Effect.map(Effect.forEach(items, each), together)

  const storeDomains = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
    const here = new Set((yield* call(({ domains }) => domains.list(project))).map(({ domain }) => domain))
    return yield* perItem((domain: string) => {
      if (here.has(domain.toLowerCase())) return Effect.succeed<Written>({ counts: { existing: 1 } })
      if (dryRun) return Effect.succeed<Written>({ counts: { created: 1 } })
      return call(({ domains }) => domains.add({ domain })).pipe(
        Effect.as<Written>({ counts: { created: 1 } }),
        Effect.catch(refusal(`domain ${domain}`))
      )
    })(names)
  })

  const note = `Imported from ${source.name}`

  const suppress = (emails: ReadonlyArray<string>) =>
    call(({ suppressions }) => suppressions.add({ emails, note })).pipe(
      Effect.map(
        (answer): Written => ({
          counts: "added" in answer ? { created: answer.added, existing: answer.existing } : { created: 1 }
        })
      )
    )

  /** A list with a malformed address is refused as a whole, so its addresses are then added one by one. */
  const storeSuppressions = Effect.fnUntraced(function* (emails: ReadonlyArray<string>) {
    if (dryRun || emails.length === 0) return { counts: { created: emails.length } }
    const parts = yield* Effect.forEach(chunksOf(emails, 1_000), (part) =>
      Effect.catchIf(suppress(part), isOfItem, () =>
        Effect.map(
          Effect.forEach(part, (email) => Effect.catch(suppress([email]), refusal(`suppression ${email}`)), {
            concurrency
          }),
          together
        )
      )
    )
    return together(parts)
  })

  const storeSegments = Effect.fnUntraced(function* (segments: ReadonlyArray<SourceSegment>) {
    const here = yield* call(({ segments }) => segments.list())
    return yield* perItem(({ id, name, description, condition }: SourceSegment) => {
      const type = condition === undefined ? "STATIC" : "DYNAMIC"
      const known = here.find((segment) => segment.name === name && segment.type === type)
      const keep = (made: string) =>
        condition === undefined
          ? Ref.update(state, (before) => ({ ...before, segments: { ...before.segments, [id]: made } }))
          : Effect.void
      if (known !== undefined) return Effect.as(keep(known.id), { counts: { existing: 1 } })
      if (dryRun) return Effect.succeed<Written>({ counts: { created: 1 } })
      return call(({ segments }) => segments.create({ name, description, type, condition })).pipe(
        Effect.tap((made) => keep(made.id)),
        Effect.as<Written>({ counts: { created: 1 } }),
        Effect.catch(refusal(`segment ${name}`))
      )
    })(segments)
  })

  const storeTopics = Effect.fnUntraced(function* (topics: ReadonlyArray<SourceTopic>) {
    const here = yield* call(({ topics }) => topics.list())
    return yield* perItem(({ id, ...topic }: SourceTopic) => {
      const keep = (key: string) =>
        Ref.update(state, (before) => ({ ...before, topics: { ...before.topics, [id]: key } }))
      const known = here.find(({ name }) => name === topic.name)
      if (known !== undefined) return Effect.as(keep(known.key), { counts: { existing: 1 } })
      if (dryRun) return Effect.succeed<Written>({ counts: { created: 1 } })
      return call(({ topics }) => topics.create(topic)).pipe(
        Effect.tap(({ key }) => keep(key)),
        Effect.as<Written>({ counts: { created: 1 } }),
        Effect.catch(refusal(`topic ${topic.name}`))
      )
    })(topics)
  })

  /** What the contact said, by the keys of the topics here. */
  const choicesOf = ({ topics = {} }: SourceContact) =>
    Effect.map(Ref.get(state), ({ topics: keys = {} }) =>
      Object.entries(topics).flatMap(([id, choice]) => {
        const key = keys[id]
        return key === undefined ? [] : [[key, choice] as const]
      })
    )

  const bodyOf = ({ email, subscribed, data, locale, timezone, agreedAt }: SourceContact) => ({
    email,
    // A contact that left here stays out, whatever the source still says.
    ...(!subscribed && { subscribed: false }),
    ...(subscribed && {
      consent: { basis: "import", at: agreedAt, evidence: { importedFrom: source.name } }
    }),
    doubleOptIn: false,
    locale,
    timezone,
    data
  })

  /** A no is always taken. A yes is taken only about topics about which the contact has said nothing here. */
  const storeContact = (contact: SourceContact) =>
    Effect.gen(function* () {
      const choices = yield* choicesOf(contact)
      const body = bodyOf(contact)
      const upsert = (among: typeof choices) =>
        call(({ contacts }) =>
          contacts.upsert(among.length === 0 ? body : { ...body, topics: Object.fromEntries(among) })
        )
      const { _meta, topics } = yield* upsert(choices.filter(([, choice]) => choice === "unsubscribed"))
      const yes = choices.filter(([key, choice]) => choice === "subscribed" && !(key in topics))
      if (yes.length > 0) yield* upsert(yes)
      return { counts: _meta.isNew ? { created: 1 } : { existing: 1 } } satisfies Written
    }).pipe(Effect.catch(refusal(`contact ${contact.email}`)))

  const join = Effect.fnUntraced(function* (segment: string, emails: ReadonlyArray<string>) {
    const { segments } = yield* Ref.get(state)
    const id = segments[segment]
    if (id === undefined) return { counts: {} }
    const parts = yield* Effect.forEach(chunksOf(emails, 1_000), (part) =>
      Effect.map(
        call(({ segments }) => segments.addMembers(id, { emails: part })),
        ({ added, alreadyMembers, notFound }): Written => ({
          counts: { created: added, existing: alreadyMembers, refused: notFound.length }
        })
      )
    )
    return together(parts)
  })

  const looked = Effect.fnUntraced(function* (items: ReadonlyArray<SourceContact>) {
    const parts = yield* Effect.forEach(
      chunksOf([...new Set(items.map(({ email }) => email))], 500),
      (emails) =>
        Effect.map(
          call(({ contacts }) => contacts.lookup({ emails })),
          ({ found, notFound, invalid }): Written => ({
            counts: { existing: found.length, created: notFound.length - invalid.length, refused: invalid.length },
            problems: invalid.map((email) => ({ what: `contact ${email}`, why: "Not a valid address." }))
          })
        ),
      { concurrency }
    )
    return together(parts)
  })

  /** Items of one address run one after the other. */
  const storeContacts = Effect.fnUntraced(function* (items: ReadonlyArray<SourceContact>) {
    if (dryRun) {
      const suppressed = items.filter(({ isSuppressed }) => isSuppressed).length
      yield* count("suppressions", { read: suppressed, created: suppressed })
      return yield* looked(items)
    }
    const groups = Map.groupBy(items, ({ email }) => email.toLowerCase())
    const stored = yield* Effect.forEach(
      groups.values(),
      (group) => Effect.map(Effect.forEach(group, storeContact), together),
      { concurrency }
    )
    const named = new Set(items.flatMap(({ segments = [] }) => segments))
    const refused = new Set(
      stored.flatMap(({ problems = [] }) => problems.map(({ what }) => what.replace(/^contact /, "")))
    )
    for (const segment of named) {
      const emails = items.filter(({ segments = [], email }) => segments.includes(segment) && !refused.has(email))
      yield* join(segment, [...new Set(emails.map(({ email }) => email))])
    }
    const suppressed = yield* storeSuppressions(
      items.flatMap(({ email, isSuppressed }) => (isSuppressed ? [email] : []))
    )
    yield* count("suppressions", {
      ...suppressed.counts,
      read: items.filter(({ isSuppressed }) => isSuppressed).length
    })
    return together(stored)
  })

  const wait = (what: string, why: string): Written => ({
    counts: { refused: 1 },
    waiting: 1,
    problems: [{ what, why }]
  })

  const createdTemplate = Effect.fnUntraced(function* (template: SourceTemplate, what: string) {
    const { name, subject, body, text, fromName, replyTo, type } = template
    const sender = template.from ?? from
    if (sender === undefined) return wait(what, "It has no sender: name one with --from, and run the command again.")
    const create = (from: string) =>
      call(({ templates }) =>
        templates.create({ name, subject, body, text, from, fromName, replyTo, type, description: note })
      )
    const unverified = ({ code }: CommandFailure) => code === "SENDER_DOMAIN_UNVERIFIED"
    const first = create(sender)
    const made = from === undefined || from === sender ? first : Effect.catchIf(first, unverified, () => create(from))
    return yield* made.pipe(
      Effect.as<Written>({ counts: { created: 1 } }),
      Effect.catchIf(unverified, () =>
        Effect.succeed(wait(what, `The domain of ${sender} is not verified: verify it, and run the command again.`))
      ),
      Effect.catch(refusal(what))
    )
  })

  /** The name of a partial has small letters, digits and hyphens. */
  const partialName = ({ id, name }: SourceTemplate): string =>
    name
      .toLowerCase()
      .normalize("NFKD")
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 64) || `layout-${id}`

  const storeTemplates = Effect.fnUntraced(function* (templates: ReadonlyArray<SourceTemplate>) {
    const here = new Set((yield* Effect.provideService(everyTemplate, Api, api)).map(({ name }) => name))
    const partials = new Set(
      (yield* Stream.runCollect(api.items(({ partials }) => partials.list()))).map(({ name }) => name)
    )
    return yield* perItem((template: SourceTemplate) => {
      const { name, body, isLayout = false, unknown = [] } = template
      const what = `template ${name}`
      if (isLayout ? partials.has(partialName(template)) : here.has(name)) {
        return Effect.succeed<Written>({ counts: { existing: 1 } })
      }
      if (unknown.length > 0) {
        const why = `It has no equal here for ${unknown.slice(0, 5).join(" ")}.`
        return Effect.succeed<Written>({ counts: { refused: 1 }, problems: [{ what, why }] })
      }
      if (dryRun) return Effect.succeed<Written>({ counts: { created: 1 } })
      if (!isLayout) return createdTemplate(template, what)
      return call(({ partials }) => partials.create({ name: partialName(template), body, description: note })).pipe(
        Effect.as<Written>({ counts: { created: 1 } }),
        Effect.catch(refusal(what))
      )
    })(templates)
  })

  /** Templates that wait for a sender are tried again by the next run, and counted again. */
  const templates = Effect.gen(function* () {
    const before = yield* stageOf("templates")
    if (before.isDone) return
    yield* Ref.update(state, (now) => ({
      ...now,
      stages: { ...now.stages, templates: newStage },
      problems: now.problems.filter(({ what }) => !what.startsWith("template ")),
      problemCount: now.problemCount - now.problems.filter(({ what }) => what.startsWith("template ")).length
    }))
    yield* stage("templates", whole(Effect.map(source.templates, distinctNames)), storeTemplates)
  })

  const members = Effect.gen(function* () {
    const pages = source.members
    if (pages === undefined || dryRun) return
    for (const id of Object.keys((yield* Ref.get(state)).segments)) {
      yield* stage(`members of ${id}`, pages(id), (emails) => join(id, emails))
    }
  })

  const run = Effect.gen(function* () {
    yield* stage("domains", whole(source.domains), storeDomains)
    yield* stage("suppressions", source.suppressions, storeSuppressions)
    yield* stage("segments", whole(Effect.map(source.segments, distinctNames)), storeSegments)
    if (source.topics !== undefined) {
      yield* stage("topics", whole(Effect.map(source.topics, distinctNames)), storeTopics)
    }
    yield* stage("contacts", source.contacts as SourcePages<SourceContact>, storeContacts)
    yield* members
    yield* templates
    const gaps = yield* source.gaps
    const { stages, problems, problemCount } = yield* Ref.get(state)
    const named = Object.entries(stages)
    const sums = named.filter(([name]) => !name.startsWith("members of "))
    const memberships = named.filter(([name]) => name.startsWith("members of ")).map(([, { counts }]) => counts)
    const report: ImportReport = {
      source: source.name,
      dryRun,
      finished: !dryRun && named.every(([, { isDone }]) => isDone),
      counts: {
        ...Object.fromEntries(sums.map(([name, { counts }]) => [name, counts])),
        ...(memberships.length > 0 && { memberships: memberships.reduce(plus, noCounts) })
      },
      gaps,
      problems,
      problemCount
    }
    return report
  })
  return yield* Effect.ensuring(run, bar.clear)
})

export const runImport = (options: SourceImport) => make(options)
