/** Lists the audit log of a project for its members. */
import type { AuditQuery, ProjectAuditPage } from "@posthorn/contract/accounts/projects/Audit"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { BadRequest, InvalidCursor } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import { countEntries, listEntries } from "../../platform/audit/AuditLog.ts"
import { cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
import { dateRange } from "../../platform/DateRange.ts"

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cursors = yield* Cursors
  const projects = yield* Projects

  /** Newest first. The dates of the query are in the time zone of the project. */
  return Effect.fn("ProjectAudit.list")(function* (
    project: ProjectId,
    query: AuditQuery
  ): Effect.fn.Return<ProjectAuditPage, BadRequest | InvalidCursor> {
    const { action, userId, startDate, endDate } = query
    const { timezone } = yield* Effect.orDie(projects.getCached(project))
    const filter = { action, userId, ...(yield* dateRange({ startDate, endDate }, timezone)) }
    const scope = JSON.stringify(["audit", project, action, userId, startDate, endDate])
    return yield* cursorPage(
      cursors,
      { scope, cursor: query.cursor, limit: pageSize(query) },
      {
        count: countEntries(sql, project, filter),
        list: (limit, after) => listEntries(sql, project, filter, limit, after),
        positionOf: ({ at, id }) => ({ key: DateTime.formatIso(at), id })
      }
    )
  })
})
