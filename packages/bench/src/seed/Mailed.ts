/** Projects with growing numbers of emails, in one database. */
import type { Seeded } from "../Seed.ts"

export interface Mailed extends Seeded {
  readonly mails: number
}

export interface MailDatabase {
  /** The URL of PostgreSQL. */
  readonly url: string
  /** From the smallest to the largest. */
  readonly projects: ReadonlyArray<Mailed>
}
