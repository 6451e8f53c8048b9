/** Values that the suites of the storage ports share. */
import { randomUUID } from "node:crypto"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"

/** A time on one day, by its minute. */
export const at = (minute: number): DateTime.Utc => DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15, minute))

/** The id with this number. Ids are in the order of their numbers. */
export const uuid = (n: number): string => `019a0000-0000-7000-8000-${String(n).padStart(12, "0")}`

/** The number of such an id. */
export const numberOf = ({ id }: { readonly id: string }): number => Number(id.slice(-12))

/** The id of a project that has no records yet. */
export const freshProject: Effect.Effect<ProjectId> = Effect.sync(() => ProjectId.make(randomUUID()))
