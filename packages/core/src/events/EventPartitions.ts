/** The partitions of the table of events. */
import type { PartitionedTable } from "../platform/Partitions.ts"

/** The kept totals lose the events of a partition. */
export const eventsTable: PartitionedTable = {
  table: "events",
  key: "id",
  owner: "contacts",
  afterDelete: "events_uncounted",
  settle: (sql, partition) => sql`
    with counts as (
      select project_id, source, name, count(*) as count from ${sql(partition)} group by 1, 2, 3
    ),
    less as (
      insert into row_count_deltas (project_id, relation, key, count)
      select project_id, 'events', array[source, name], -count from counts
    )
    select coalesce(sum(count), 0)::int as count from counts`
}
