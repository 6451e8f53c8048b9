/** The counts of forms. They are rows of their own, so that a submission does not lock the form. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

const counts = ["submissions", "confirmed", "spam"] as const
export type FormCount = (typeof counts)[number]

/** Adds one to a count of the form, in the caller's transaction. Does nothing for a form that is gone. */
export const countForm =
  (sql: SqlClient.SqlClient) =>
  (project: ProjectId, form: string, what: FormCount): Effect.Effect<void> => {
    const one = (each: FormCount) => (each === what ? 1 : 0)
    return sql`
      insert into form_counts (project_id, form_id, submissions, confirmed, spam)
      select ${project}::uuid, ${form}::uuid, ${one("submissions")}, ${one("confirmed")}, ${one("spam")}
      where exists (select from forms where project_id = ${project} and id = ${form}::uuid)
      on conflict (project_id, form_id) do update
      set ${sql(what)} = form_counts.${sql(what)} + 1`.pipe(Effect.asVoid, Effect.orDie)
  }
