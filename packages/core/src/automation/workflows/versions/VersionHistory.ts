/** Records the versions of a workflow: by publishing, and by enabling and editing one that is edited live. */

import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Equal, Option } from "effect"
import { SqlClient } from "effect/sql"
import { WorkflowStore } from "../WorkflowStore.ts"
import { hasSameContent, type VersionContent } from "./VersionContent.ts"
import * as VersionSql from "./VersionSql.ts"

/** Edits of one author within this time are one version. */
const session = Duration.minutes(10)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* WorkflowStore
  const versions = VersionSql.make(sql)

  const next = Effect.fnUntraced(function* (project: ProjectId, id: WorkflowId) {
    const newest = yield* versions.newest(project, id)
    return Option.match(newest, { onNone: () => 1, onSome: ({ version }) => version + 1 })
  })

  /** Stores the content as the next version. Joins the caller's transaction, which has locked the workflow. */
  const add = Effect.fn("VersionHistory.add")(function* (
    project: ProjectId,
    id: WorkflowId,
    content: VersionContent,
    head: Pick<VersionSql.VersionHead, "edited" | "note" | "published">,
    now: DateTime.Utc
  ) {
    const version = yield* next(project, id)
    const author = yield* VersionSql.currentAuthor
    yield* versions.write(project, id, { ...head, version, author, createdAt: now }, content, now)
    yield* versions.prune(project, id)
    return version
  })

  /** The number of the newest version if it has this content, or of a new or replaced one. */
  const numberOf = Effect.fnUntraced(function* (
    project: ProjectId,
    id: WorkflowId,
    content: VersionContent,
    edited: boolean,
    now: DateTime.Utc
  ) {
    const newest = Option.getOrUndefined(yield* versions.newest(project, id))
    if (newest === undefined) return yield* add(project, id, content, { edited, published: false, note: null }, now)
    const before = yield* versions.read(project, id, newest.version)
    if (Option.isSome(before) && hasSameContent(before.value, content)) return newest.version
    const until = DateTime.addDuration(newest.createdAt, session)
    const isOneEdit =
      edited &&
      newest.edited &&
      Equal.equals(newest.author, yield* VersionSql.currentAuthor) &&
      DateTime.isLessThan(now, until)
    if (!isOneEdit) return yield* add(project, id, content, { edited, published: false, note: null }, now)
    yield* versions.write(project, id, newest, content, now)
    return newest.version
  })

  /**
   * Records the graph of a workflow that is edited live and enabled: when it is enabled, and after a change. Joins the
   * caller's transaction, which has locked the workflow and stored the change.
   */
  const record = Effect.fn("VersionHistory.record")(function* (
    project: ProjectId,
    id: WorkflowId,
    by: "edit" | "enabling" | "restoring",
    now: DateTime.Utc
  ) {
    const workflow = Option.getOrUndefined(yield* store.lock(project, id))
    if (workflow === undefined || workflow.versioning !== "LIVE" || !workflow.enabled) return
    const content = yield* store.running(project, id)
    yield* store.setVersioning(project, id, "LIVE", yield* numberOf(project, id, content, by === "edit", now))
  })

  return { ...versions, add, record }
})
