import type { ProjectAuditEntry } from "@posthorn/client/session"
import Papa from "papaparse"

/** The entries as CSV. What a spreadsheet would take for a formula becomes text. */
export const auditCsv = (entries: ReadonlyArray<ProjectAuditEntry>): string =>
  Papa.unparse(
    entries.map(({ at, action, actor, user, apiKey, details }) => ({
      at,
      action,
      actor,
      user: user?.email ?? user?.id ?? "",
      apiKey: apiKey?.name ?? "",
      details: JSON.stringify(details)
    })),
    { escapeFormulae: true }
  )
