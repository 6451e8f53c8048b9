import { analyzed, type DividedTable, divided } from "./Divided.ts"
import type { Online } from "./Steps.ts"

/** Retention removes a period of events as one table. Deleting its rows took as long as writing them. */
const events: DividedTable = {
  table: "events",
  key: "id",
  owner: "contacts",
  constraints: [
    "primary key (project_id, id)",
    "foreign key (project_id, contact_id) references contacts (project_id, id) on delete cascade"
  ],
  indexes: {
    contact: "(project_id, contact_id, created_at, id)",
    history: "(project_id, name, occurred_at, id) include (contact_id, created_at)",
    tracked: "(project_id, created_at, id) include (name) where source = 'tracked'",
    without_contact: "(project_id, email_id) where contact_id is null"
  },
  triggers: {
    counted: `after insert on events referencing new table as added
              for each statement execute function events_counted()`,
    uncounted: `after delete on events referencing old table as removed
                for each statement execute function events_uncounted()`,
    emptied: "after truncate on events for each statement execute function events_emptied()",
    wait: `after insert on events referencing new table as added
           for each statement execute function events_wait()`
  }
}

export default { expand: divided(events), background: [analyzed(events)] } satisfies Online
