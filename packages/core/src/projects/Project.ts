/** What a project is. */
import type { DisabledReason, ProjectId } from "@posthorn/contract/Auth"
import type { AmbiguousMode, TrackingMode } from "@posthorn/contract/projects/Project"
import type { DateTime } from "effect"

/** What a project is, but for its secret key: of that nobody holds more than a hash. */
export interface Project {
  readonly id: ProjectId
  readonly name: string
  readonly publicKey: string
  /** The last four characters of the secret key. */
  readonly secretHint: string
  readonly disabled: DisabledReason | null
  readonly disabledAt: DateTime.Utc | null
  readonly tracking: typeof TrackingMode.Type
  /** Language of footers and hosted pages where the contact has none: `en`, `pt-BR`. */
  readonly language: string
  /** IANA name. */
  readonly timezone: string
  readonly ambiguousPolicy: {
    readonly transactional: typeof AmbiguousMode.Type
    readonly bulk: typeof AmbiguousMode.Type
  }
  /** Mails a second; null: the server's default. */
  readonly sendRatePerSecond: number | null
  /** Its data is being wiped. */
  readonly resetting: boolean
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}
