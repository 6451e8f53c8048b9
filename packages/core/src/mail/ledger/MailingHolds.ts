/** Stores what holds all mails of a campaign, once for each reason, without a write for a mail. */
import type { SqlClient, Statement } from "effect/sql"

/** The new `holds` of a row of `mailings`. The first `at` of a reason stays. */
export const mailingHeld = (
  sql: SqlClient.SqlClient,
  reason: "PAUSED" | "WARMUP",
  at: Date,
  until: Date | null
): Statement.Fragment => sql`
  mailings.holds || jsonb_build_object(${reason}::text, jsonb_build_object(
    'at', coalesce(mailings.holds #> array[${reason}::text, 'at'], to_jsonb(${at}::timestamptz)),
    'until', ${until}::timestamptz))`
