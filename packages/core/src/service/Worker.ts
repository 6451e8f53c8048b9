/** All background loops of a worker process. Closing the scope lets them finish their current work. */
import { Layer } from "effect"
import type { Digest, Mac, SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import * as ContactBulk from "../audience/contacts/ContactBulk.ts"
import { checkJob, importJob } from "../audience/contacts/files/ContactImportJob.ts"
import * as EventDeletion from "../audience/events/EventDeletion.ts"
import * as SegmentWatch from "../audience/segments/SegmentWatch.ts"
import * as TopicDeletion from "../audience/topics/TopicDeletion.ts"
import * as CampaignRunner from "../automation/campaigns/CampaignRunner.ts"
import * as Runner from "../automation/workflows/run/Runner.ts"
import * as WorkflowVersions from "../automation/workflows/versions/WorkflowVersions.ts"
import * as WorkflowEventHandler from "../automation/workflows/WorkflowEventHandler.ts"
import * as EventDispatcher from "../events/EventDispatcher.ts"
import type { EventHandler } from "../events/EventHandler.ts"
import * as EmailSender from "../mail/sending/EmailSender.ts"
import * as ScheduledMail from "../mail/sending/ScheduledMail.ts"
import * as ClickEvents from "../mail/tracking/ClickEvents.ts"
import type { Services } from "../Posthorn.ts"
import type { DnsResolver } from "../platform/dns/DnsResolver.ts"
import * as Agenda from "../platform/jobs/Agenda.ts"
import type { RunnableJob } from "../platform/jobs/Job.ts"
import * as JobRunner from "../platform/jobs/JobRunner.ts"
import type { Mailer, MailServers } from "../platform/Mailer.ts"
import type { SafeFetch } from "../platform/outbound/SafeFetch.ts"
import * as WebhookFanout from "../webhooks/WebhookFanout.ts"
import * as WebhookSender from "../webhooks/WebhookSender.ts"
import * as ScheduledJobs from "./ScheduledJobs.ts"

/** The services, and what a host provides. */
type Needs =
  | Digest.Digest
  | DnsResolver
  | Mac.Mac
  | Mailer
  | MailServers
  | SafeFetch
  | SecureRandom.SecureRandom
  | Services
  | SqlClient.SqlClient

/** Jobs that users start and read the result of. List every kind of job here. */
const jobs: ReadonlyArray<RunnableJob<SecureRandom.SecureRandom | Services | SqlClient.SqlClient>> = [
  ...ContactBulk.jobs,
  checkJob,
  importJob,
  EventDeletion.job,
  TopicDeletion.job,
  ...WorkflowVersions.jobs
]

/** Handlers of events. List every handler here. */
const eventHandlers: ReadonlyArray<EventHandler<Needs>> = [WebhookFanout.reaction, WorkflowEventHandler.reaction]

export const layer: Layer.Layer<never, never, Needs> = Layer.mergeAll(
  CampaignRunner.layer,
  ClickEvents.layer,
  EmailSender.layer,
  EventDispatcher.layer(eventHandlers),
  JobRunner.layer(jobs),
  ScheduledJobs.layer,
  Runner.layer,
  ScheduledMail.layer,
  SegmentWatch.layer,
  WebhookSender.layer
).pipe(Layer.provide(Agenda.layer))
