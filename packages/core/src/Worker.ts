/** All loops: what a process with the role of a worker runs. Closing the scope drains them. */
import { Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import * as AccountJobs from "./accounts/AccountJobs.ts"
import * as AnalyticsJobs from "./analytics/AnalyticsJobs.ts"
import * as BillingJobs from "./billing/BillingJobs.ts"
import * as CampaignRunner from "./campaigns/CampaignRunner.ts"
import * as ContactBulk from "./contacts/ContactBulk.ts"
import { importJob } from "./contacts/files/ContactImportJob.ts"
import type { DnsResolver } from "./dns/DnsResolver.ts"
import * as EventDeletion from "./events/EventDeletion.ts"
import * as EventDispatcher from "./events/EventDispatcher.ts"
import type { Reaction } from "./events/Reaction.ts"
import type { RunnableJob } from "./jobs/Job.ts"
import * as JobRunner from "./jobs/JobRunner.ts"
import * as MaintenanceJobs from "./jobs/MaintenanceJobs.ts"
import type { Services } from "./Posthorn.ts"
import * as ReceiverJobs from "./receivers/ReceiverJobs.ts"
import * as RetentionJob from "./retention/RetentionJob.ts"
import * as SecurityJobs from "./security/SecurityJobs.ts"
import * as SegmentWatch from "./segments/SegmentWatch.ts"
import * as EmailSender from "./sending/EmailSender.ts"
import type { Mailer } from "./sending/Mailer.ts"
import * as ClickEvents from "./tracking/ClickEvents.ts"
import * as Telling from "./webhooks/Telling.ts"
import * as WebhookJobs from "./webhooks/WebhookJobs.ts"
import * as WebhookSender from "./webhooks/WebhookSender.ts"
import * as Runner from "./workflows/run/Runner.ts"
import * as WorkflowReaction from "./workflows/WorkflowReaction.ts"

/** What users start and come back for; every kind of job has its line here. */
const jobs: ReadonlyArray<RunnableJob<Services>> = [...ContactBulk.jobs, importJob, EventDeletion.job]

/** What events set in motion; every reaction has its line here. */
const reactions: ReadonlyArray<Reaction<Services>> = [Telling.reaction, WorkflowReaction.reaction]

export const layer: Layer.Layer<never, never, DnsResolver | Mailer | SecureRandom.SecureRandom | Services> =
  Layer.mergeAll(
    AccountJobs.layer,
    AnalyticsJobs.layer,
    BillingJobs.layer,
    CampaignRunner.layer,
    ClickEvents.layer,
    EmailSender.layer,
    EventDispatcher.layer(reactions),
    JobRunner.layer(jobs),
    MaintenanceJobs.layer,
    ReceiverJobs.layer,
    RetentionJob.layer,
    SecurityJobs.layer,
    Runner.layer,
    SegmentWatch.layer,
    WebhookJobs.layer,
    WebhookSender.layer
  )
