/** Versions and drafts of templates and partials: what both kinds of record have in common. */
import type {
  PublishDraft,
  RestoreVersion,
  Version,
  VersionActor,
  VersionQuery
} from "@posthorn/contract/content/versions/Version"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, type Fault, ResourceNotFound, type ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Option } from "effect"
import { acting } from "../../platform/audit/Audited.ts"
import { type OffsetPageRequest, offsetPage, placeOf, sliceOf } from "../../platform/OffsetPages.ts"
import { Transaction } from "../../platform/Transaction.ts"
import type { StoredDraft, VersionedStore } from "./VersionStore.ts"

interface VersionPage extends OffsetPageRequest {
  readonly data: ReadonlyArray<Version>
  readonly total: number
  readonly totalPages: number
}

/** A draft as it is shown: its content, and what prevents its publication. */
export type ShownDraft<Content> = Content &
  Pick<StoredDraft<Content>, "basedOn" | "updatedAt"> & { readonly problems: ReadonlyArray<Fault> }

/**
 * The methods of a service whose records have versions. `Missing`: the record does not exist. `Refused`: its content
 * may not be live, apart from faults.
 */
export interface Versions<Id, Versioned, Content, WriteDraft, Missing, Refused> {
  /** Newest first. */
  readonly versions: (project: ProjectId, id: Id, query: VersionQuery) => Effect.Effect<VersionPage, Missing>
  /** The record with the content of a version. */
  readonly version: (
    project: ProjectId,
    id: Id,
    version: string
  ) => Effect.Effect<Versioned, Missing | ResourceNotFound>
  /** Makes a new version with the content of an earlier one. None if the live version has that content. */
  readonly restore: (
    project: ProjectId,
    id: Id,
    version: string,
    input: RestoreVersion
  ) => Effect.Effect<Versioned, Conflict | Missing | Refused | ResourceNotFound | ValidationError>
  readonly draft: (project: ProjectId, id: Id) => Effect.Effect<ShownDraft<Content>, Missing | ResourceNotFound>
  /** Replaces the draft. What is absent is as in the live version. */
  readonly saveDraft: (
    project: ProjectId,
    id: Id,
    input: WriteDraft
  ) => Effect.Effect<ShownDraft<Content>, Missing | ValidationError>
  readonly deleteDraft: (project: ProjectId, id: Id) => Effect.Effect<void, Missing | ResourceNotFound>
  /** Makes the draft the next version, and deletes it. */
  readonly publish: (
    project: ProjectId,
    id: Id,
    input: PublishDraft
  ) => Effect.Effect<Versioned, Conflict | Missing | Refused | ValidationError>
}

interface Compiled<Content> {
  readonly content: Content
  readonly faults: ReadonlyArray<Fault>
}

/** A kind of record that has versions. */
export interface VersionedKind<Id, Versioned, Content, WriteDraft, Missing, Refused> {
  readonly resource: "partial" | "template"
  readonly store: VersionedStore<Id, Content, Versioned>
  readonly missing: (id: Id) => Missing
  /** The record, which is not deleted until the transaction ends. */
  readonly hold: (project: ProjectId, id: Id) => Effect.Effect<Option.Option<Versioned>>
  /** The record, which no other request changes until the transaction ends. */
  readonly lock: (project: ProjectId, id: Id) => Effect.Effect<Option.Option<Versioned>>
  /** The content of a draft. What is absent is as in the live version. */
  readonly contentOfDraft: (live: Versioned, input: WriteDraft) => Content
  /** Refuses a draft that is too large. What it names is not deleted until the transaction ends. */
  readonly admitDraft: (project: ProjectId, content: Content) => Effect.Effect<void, ValidationError>
  /** Makes a compiler of drafts. It compiles an equal text once, so that no transaction waits for it. */
  readonly compiler: () => (content: Content) => Effect.Effect<Compiled<Content>>
  /** What prevents a compiled draft from being published, with the faults of compiling it. */
  readonly problems: (
    project: ProjectId,
    live: Versioned,
    compiled: Compiled<Content>
  ) => Effect.Effect<ReadonlyArray<Fault>>
  /** The content as it is stored. Refused if it may not, or no longer, be live. Called in a transaction. */
  readonly requireSound: (
    project: ProjectId,
    live: Versioned,
    compiled: Compiled<Content>
  ) => Effect.Effect<Content, Refused | ValidationError>
}

/** The caller, as the author of a version. */
export const author: Effect.Effect<VersionActor> = Effect.map(acting, ({ actor, user }) =>
  actor === "user" || actor === "host"
    ? { type: "member", ...(user !== null && { userId: user }) }
    : { type: actor === "key" ? actor : "service" }
)

/** Refuses a change that is based on another version than the live one. */
export const requireVersion = (
  { version }: { readonly version: number },
  expected: number | null | undefined
): Effect.Effect<void, Conflict> =>
  expected == null || expected === version
    ? Effect.void
    : Effect.fail(new Conflict({ reason: "version_changed", version }))

const versionForm = /^[1-9]\d{0,8}$/

export const versioning = Effect.fnUntraced(function* <
  Id extends string,
  Versioned extends Content & { readonly version: number },
  Content extends object,
  WriteDraft,
  Missing,
  Refused
>({
  resource,
  store,
  missing,
  hold,
  lock,
  contentOfDraft,
  admitDraft,
  compiler,
  problems,
  requireSound
}: VersionedKind<Id, Versioned, Content, WriteDraft, Missing, Refused>): Effect.fn.Return<
  Versions<Id, Versioned, Content, WriteDraft, Missing, Refused>,
  never,
  Transaction
> {
  const transaction = yield* Transaction

  const found = (id: Id) => (record: Option.Option<Versioned>) =>
    Option.isSome(record) ? Effect.succeed(record.value) : Effect.fail(missing(id))

  const get = (project: ProjectId, id: Id) => Effect.flatMap(store.find(project, id), found(id))

  const versions = Effect.fn("Versioning.versions")(function* (project: ProjectId, id: Id, query: VersionQuery) {
    const { version: live } = yield* get(project, id)
    const place = placeOf(query)
    const data = yield* store.versions(project, id, sliceOf(place))
    const total = yield* store.countVersions(project, id)
    return offsetPage(
      place,
      data.map((each) => ({ ...each, live: each.version === live })),
      total
    )
  })

  const contentAt = Effect.fnUntraced(function* (project: ProjectId, id: Id, version: string) {
    const content = versionForm.test(version) ? yield* store.version(project, id, Number(version)) : Option.none()
    if (Option.isSome(content)) return content.value
    return yield* new ResourceNotFound({ resource: `${resource}_version`, id: version })
  })

  const version = Effect.fn("Versioning.version")(function* (project: ProjectId, id: Id, version: string) {
    const record = yield* get(project, id)
    return { ...record, ...(yield* contentAt(project, id, version)), version: Number(version) }
  })

  const restore = Effect.fn("Versioning.restore")(function* (
    project: ProjectId,
    id: Id,
    version: string,
    { expectedVersion }: RestoreVersion
  ) {
    const live = yield* Effect.flatMap(lock(project, id), found(id))
    const earlier = { content: yield* contentAt(project, id, version), faults: [] }
    const content = yield* requireSound(project, live, earlier)
    yield* requireVersion(live, expectedVersion)
    const change = { kind: "restored", live: live.version } as const
    const origin = { actor: yield* author, restoredFrom: Number(version), change }
    return yield* Effect.flatMap(store.update(project, id, content, yield* DateTime.now, origin), found(id))
  }, transaction.run)

  const shown = Effect.fnUntraced(function* (
    project: ProjectId,
    live: Versioned,
    { content: written, basedOn, updatedAt }: StoredDraft<Content>
  ) {
    const compiled = yield* compiler()(written)
    return { ...compiled.content, basedOn, updatedAt, problems: yield* problems(project, live, compiled) }
  })

  const noDraft = (id: Id) => new ResourceNotFound({ resource: "draft", id })

  const draft = Effect.fn("Versioning.draft")(function* (project: ProjectId, id: Id) {
    const live = yield* get(project, id)
    const stored = yield* store.draft(project, id)
    if (Option.isNone(stored)) return yield* noDraft(id)
    return yield* shown(project, live, stored.value)
  })

  const storeDraft = Effect.fnUntraced(function* (project: ProjectId, id: Id, input: WriteDraft) {
    const live = yield* Effect.flatMap(hold(project, id), found(id))
    const content = contentOfDraft(live, input)
    yield* admitDraft(project, content)
    const stored = { content, basedOn: live.version, updatedAt: yield* DateTime.now }
    yield* store.saveDraft(project, id, stored)
    return { live, stored }
  }, transaction.run)

  const saveDraft = Effect.fn("Versioning.saveDraft")((project: ProjectId, id: Id, input: WriteDraft) =>
    Effect.flatMap(storeDraft(project, id, input), ({ live, stored }) => shown(project, live, stored))
  )

  const deleteDraft = Effect.fn("Versioning.deleteDraft")(function* (project: ProjectId, id: Id) {
    yield* get(project, id)
    if (!(yield* store.deleteDraft(project, id))) return yield* noDraft(id)
  })

  const publish = Effect.fn("Versioning.publish")(function* (project: ProjectId, id: Id, input: PublishDraft) {
    const compile = compiler()
    const stored = yield* store.draft(project, id)
    if (Option.isSome(stored)) yield* compile(stored.value.content)
    return yield* transaction.run(goLive(project, id, input, compile))
  })

  const goLive = Effect.fnUntraced(function* (
    project: ProjectId,
    id: Id,
    { force }: PublishDraft,
    compile: ReturnType<typeof compiler>
  ) {
    const live = yield* Effect.flatMap(lock(project, id), found(id))
    const stored = yield* store.draft(project, id)
    if (Option.isNone(stored)) return yield* new Conflict({ reason: "no_draft" })
    const content = yield* requireSound(project, live, yield* compile(stored.value.content))
    if (force !== true) yield* requireVersion(live, stored.value.basedOn)
    yield* store.deleteDraft(project, id)
    const change = { kind: "published", live: live.version } as const
    const origin = { actor: yield* author, change }
    return yield* Effect.flatMap(store.update(project, id, content, yield* DateTime.now, origin), found(id))
  })

  return { versions, version, restore, draft, saveDraft, deleteDraft, publish }
})
