/** What a project is. */
import type { DisabledReason, ProjectId } from "@posthorn/contract/Auth"
import type { DateTime } from "effect"

export const trackingModes = ["ENABLED", "DISABLED", "MARKETING_ONLY"] as const
export const ambiguousModes = ["retry", "hold"] as const

/** What a project is, but for its secret key: of that nobody holds more than a hash. */
export interface Project {
  readonly id: ProjectId
  readonly name: string
  readonly publicKey: string
  /** The last four characters of the secret key. */
  readonly secretHint: string
  readonly disabled: DisabledReason | null
  readonly disabledAt: DateTime.Utc | null
  readonly tracking: (typeof trackingModes)[number]
  /** Language of footers and hosted pages where the contact has none: `en`, `pt-BR`. */
  readonly language: string
  /** IANA name. */
  readonly timezone: string
  readonly ambiguousPolicy: {
    readonly transactional: (typeof ambiguousModes)[number]
    readonly bulk: (typeof ambiguousModes)[number]
  }
  /** Mails a second; null: the server's default. */
  readonly sendRatePerSecond: number | null
  /** Its data is being wiped. */
  readonly resetting: boolean
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}
