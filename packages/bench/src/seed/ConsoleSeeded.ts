/** The project of the console rows, in a database of its own. */

export interface ConsoleSize {
  readonly contacts: number
  readonly mails: number
}

export interface ConsoleProject extends ConsoleSize {
  /** The URL of PostgreSQL. */
  readonly url: string
  readonly email: string
  readonly password: string
  readonly id: string
  /** The secret key. */
  readonly key: string
  /** A project without contacts, of the same account. */
  readonly empty: string
  readonly campaign: string
  readonly workflow: string
  readonly template: string
  /** The address of one contact in the middle of the list. */
  readonly rare: string
}
