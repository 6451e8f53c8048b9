/** Audiences of growing size, each a separate project, in one database. */
import type { Seeded } from "../Seed.ts"

export interface Audience extends Seeded {
  readonly contacts: number
}

export interface AudienceDatabase {
  /** The URL of PostgreSQL. */
  readonly url: string
  /** From the smallest to the largest. */
  readonly audiences: ReadonlyArray<Audience>
}
