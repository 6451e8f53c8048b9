/** The partitions of the tries of mails. A try is in the partition of its mail. */
import { DateTime } from "effect"
import type { PartitionedTable } from "../../platform/Partitions.ts"

/** Tries of scheduled mail may be much younger than the mail. Those that are not old enough return to the table. */
export const attemptsTable: PartitionedTable = {
  table: "email_attempts",
  key: "email_id",
  settle: (sql, partition, before) => sql`
    with young as (
      insert into email_attempts select * from ${sql(partition)} where ended_at >= ${DateTime.toDate(before)} returning 1
    )
    select ((select count(*) from ${sql(partition)}) - (select count(*) from young))::int as count`
}
