/** All loops: what a process with the role of a worker runs. Closing the scope drains them. */
import { Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { DnsResolver } from "./domains/DnsResolver.ts"
import * as MaintenanceJobs from "./jobs/MaintenanceJobs.ts"
import type { Services } from "./Posthorn.ts"
import * as EmailSender from "./sending/EmailSender.ts"
import type { Mailer } from "./sending/Mailer.ts"

export const layer: Layer.Layer<never, never, DnsResolver | Mailer | SecureRandom.SecureRandom | Services> =
  Layer.mergeAll(EmailSender.layer, MaintenanceJobs.layer)
