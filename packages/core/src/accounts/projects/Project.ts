/** The record of a project. */

import type {
  AmbiguousMode,
  DialogueMode,
  PublicKeyPolicy,
  TrackingMode
} from "@posthorn/contract/accounts/projects/Project"
import type { DisabledReason, ProjectId } from "@posthorn/contract/platform/Auth"
import type { DateTime } from "effect"

/** A project without its secret key. Only a hash of that key is stored. */
export interface StoredProject {
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
  /** The SMTP tries whose dialogue is kept. */
  readonly smtpDialogue: typeof DialogueMode.Type
  readonly publicKeyPolicy: PublicKeyPolicy
  /** Emails a second. Null: the default of the server. */
  readonly sendRatePerSecond: number | null
  /** Only members with two factors on have access. Keys are not affected. */
  readonly requireTwoFactor: boolean
  /** Inbound mail that fails DMARC is rejected. */
  readonly rejectDmarcFailures: boolean
  /** The data of the project is being wiped. */
  readonly resetting: boolean
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}
