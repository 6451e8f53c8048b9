import { analyzed, type DividedTable, divided } from "./Divided.ts"
import type { Online } from "./Steps.ts"

/** As for events: retention removes the tries of each mail after 90 days, unless set otherwise. */
const attempts: DividedTable = {
  table: "email_attempts",
  key: "email_id",
  constraints: ["primary key (project_id, email_id, number)"],
  indexes: {}
}

export default { expand: divided(attempts), background: [analyzed(attempts)] } satisfies Online
