/** All loops: what a process with the role of a worker runs. Closing the scope drains them. */
import { Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import * as ContactBulk from "./contacts/ContactBulk.ts"
import * as ContactImport from "./contacts/ContactImport.ts"
import type { DnsResolver } from "./domains/DnsResolver.ts"
import * as EventDeletion from "./events/EventDeletion.ts"
import type { RunnableJob } from "./jobs/Job.ts"
import * as JobRunner from "./jobs/JobRunner.ts"
import * as MaintenanceJobs from "./jobs/MaintenanceJobs.ts"
import type { Services } from "./Posthorn.ts"
import * as SegmentWatch from "./segments/SegmentWatch.ts"
import * as EmailSender from "./sending/EmailSender.ts"
import type { Mailer } from "./sending/Mailer.ts"

/** What users start and come back for; every kind of job has its line here. */
const jobs: ReadonlyArray<RunnableJob<Services>> = [...ContactBulk.jobs, ...ContactImport.jobs, EventDeletion.job]

export const layer: Layer.Layer<never, never, DnsResolver | Mailer | SecureRandom.SecureRandom | Services> =
  Layer.mergeAll(EmailSender.layer, JobRunner.layer(jobs), MaintenanceJobs.layer, SegmentWatch.layer)
