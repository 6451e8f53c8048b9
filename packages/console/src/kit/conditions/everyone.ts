import type { FilterTree } from "@posthorn/client/session"

/** A tree without groups: every contact matches. */
export const everyone: FilterTree = { logic: "AND", groups: [] }
