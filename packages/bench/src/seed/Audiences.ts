/** Audiences of growing size, each a project of its own, in one database. */
import type { Seeded } from "../Seed.ts"

export interface Audience extends Seeded {
  readonly contacts: number
}

export interface AudienceDatabase {
  /** URL of PostgreSQL. */
  readonly url: string
  /** From the smallest to the largest. */
  readonly audiences: ReadonlyArray<Audience>
}
