/**
 * All services over one database: the only place in the core that wires them.
 *
 * They stand in tiers, each built on those before it, and none knows anything of a later one: storage, what is asked of
 * a single capability (`base`), accepted mail (`sending`), and what sends or is told by itself (`flows`, `receivers`).
 * Within a tier, what stands in a later `provideMerge` is what the lines before it are built on.
 */
import { Layer } from "effect"
import type { Aead, Digest, Kdf, Mac, SecureRandom, Signature } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import * as AccountStoreSql from "./accounts/AccountStoreSql.ts"
import * as Accounts from "./accounts/Accounts.ts"
import * as Attempts from "./accounts/Attempts.ts"
import * as MailedTokens from "./accounts/MailedTokens.ts"
import * as Oauth from "./accounts/Oauth.ts"
import type { PasswordHash } from "./accounts/PasswordHash.ts"
import * as Passwords from "./accounts/Passwords.ts"
import * as SessionStore from "./accounts/SessionStore.ts"
import * as Sessions from "./accounts/Sessions.ts"
import * as SignIn from "./accounts/SignIn.ts"
import * as Activity from "./activity/Activity.ts"
import * as ActivityFeedSql from "./activity/ActivityFeedSql.ts"
import * as Analytics from "./analytics/Analytics.ts"
import * as MailTotals from "./analytics/MailTotals.ts"
import * as AuditLog from "./audit/AuditLog.ts"
import * as Billing from "./billing/Billing.ts"
import * as BillingAccounts from "./billing/BillingAccounts.ts"
import * as BillingStoreSql from "./billing/BillingStoreSql.ts"
import * as Meter from "./billing/Meter.ts"
import * as PaymentEvents from "./billing/PaymentEvents.ts"
import * as Subscriptions from "./billing/Subscriptions.ts"
import * as Warnings from "./billing/Warnings.ts"
import * as Cursors from "./Cursors.ts"
import * as CampaignContents from "./campaigns/CampaignContents.ts"
import * as CampaignNudge from "./campaigns/CampaignNudge.ts"
import * as CampaignResults from "./campaigns/CampaignResults.ts"
import * as CampaignStarts from "./campaigns/CampaignStarts.ts"
import * as CampaignStoreSql from "./campaigns/CampaignStoreSql.ts"
import * as Campaigns from "./campaigns/Campaigns.ts"
import * as CampaignTests from "./campaigns/CampaignTests.ts"
import * as CampaignUses from "./campaigns/CampaignUses.ts"
import * as CampaignWork from "./campaigns/CampaignWork.ts"
import * as RunningCampaignsSql from "./campaigns/RunningCampaignsSql.ts"
import * as ContactBatchStoreSql from "./contacts/ContactBatchStoreSql.ts"
import * as ContactBulk from "./contacts/ContactBulk.ts"
import * as ContactLookups from "./contacts/ContactLookups.ts"
import * as ContactStoreSql from "./contacts/ContactStoreSql.ts"
import * as Contacts from "./contacts/Contacts.ts"
import * as ContactFieldStoreSql from "./contacts/fields/ContactFieldStoreSql.ts"
import * as ContactFields from "./contacts/fields/ContactFields.ts"
import * as ContactExport from "./contacts/files/ContactExport.ts"
import * as ContactImport from "./contacts/files/ContactImport.ts"
import * as ContactScanSql from "./contacts/files/ContactScanSql.ts"
import * as Persons from "./contacts/Persons.ts"
import type { DnsResolver } from "./dns/DnsResolver.ts"
import * as DkimKeys from "./domains/DkimKeys.ts"
import * as DomainStoreSql from "./domains/DomainStoreSql.ts"
import * as Domains from "./domains/Domains.ts"
import * as DomainTrust from "./domains/DomainTrust.ts"
import * as SenderDomains from "./domains/SenderDomains.ts"
import * as SigningKeys from "./domains/SigningKeys.ts"
import * as EmailStoreSql from "./emails/EmailStoreSql.ts"
import * as Emails from "./emails/Emails.ts"
import * as LedgerSql from "./emails/LedgerSql.ts"
import * as WaitingMail from "./emails/WaitingMail.ts"
import * as EventLog from "./events/EventLog.ts"
import * as EventNudge from "./events/EventNudge.ts"
import * as EventOutbox from "./events/EventOutbox.ts"
import * as EventRecords from "./events/EventRecords.ts"
import * as EventStoreSql from "./events/EventStoreSql.ts"
import * as Events from "./events/Events.ts"
import * as EventTotals from "./events/EventTotals.ts"
import * as RecordedEvents from "./events/RecordedEvents.ts"
import * as IdempotencyKeys from "./http/IdempotencyKeys.ts"
import * as RateLimiter from "./http/RateLimiter.ts"
import * as RateWindows from "./http/RateWindows.ts"
import { marked } from "./http/RequestContext.ts"
import * as JobQueueSql from "./jobs/JobQueueSql.ts"
import * as PeriodicJobs from "./jobs/PeriodicJobs.ts"
import * as PublicLinks from "./links/PublicLinks.ts"
import * as MemberStoreSql from "./members/MemberStoreSql.ts"
import * as Members from "./members/Members.ts"
import type { SafeFetch } from "./outbound/SafeFetch.ts"
import * as PageStoreSql from "./pages/PageStoreSql.ts"
import * as Pages from "./pages/Pages.ts"
import * as KeyRing from "./projects/KeyRing.ts"
import * as OwnProjects from "./projects/OwnProjects.ts"
import * as ProjectData from "./projects/ProjectData.ts"
import * as ProjectStoreSql from "./projects/ProjectStoreSql.ts"
import * as Projects from "./projects/Projects.ts"
import * as References from "./References.ts"
import * as RowCounts from "./RowCounts.ts"
import * as Inbound from "./receivers/Inbound.ts"
import * as Intake from "./receivers/Intake.ts"
import * as MailReport from "./receivers/MailReport.ts"
import * as ParkedNotifications from "./receivers/ParkedNotifications.ts"
import * as Receivers from "./receivers/Receivers.ts"
import * as SnsSignature from "./receivers/SnsSignature.ts"
import * as Retention from "./retention/Retention.ts"
import * as SecretBox from "./SecretBox.ts"
import type { Secrets } from "./Secrets.ts"
import * as Standing from "./security/Standing.ts"
import * as StandingStoreSql from "./security/StandingStoreSql.ts"
import * as Suspensions from "./security/Suspensions.ts"
import * as Audiences from "./segments/Audiences.ts"
import * as ChangeQueue from "./segments/ChangeQueue.ts"
import * as Memberships from "./segments/Memberships.ts"
import * as SegmentCompute from "./segments/SegmentCompute.ts"
import * as SegmentMemberStoreSql from "./segments/SegmentMemberStoreSql.ts"
import * as SegmentStoreSql from "./segments/SegmentStoreSql.ts"
import * as Segments from "./segments/Segments.ts"
import * as AcceptanceSql from "./sending/AcceptanceSql.ts"
import * as Assembly from "./sending/Assembly.ts"
import * as DeliveryQueueSql from "./sending/DeliveryQueueSql.ts"
import type { Composer } from "./sending/Mailer.ts"
import * as Mailings from "./sending/Mailings.ts"
import * as MailNudge from "./sending/MailNudge.ts"
import * as Notices from "./sending/Notices.ts"
import * as PersonalMail from "./sending/PersonalMail.ts"
import * as ReturnPath from "./sending/ReturnPath.ts"
import * as Sending from "./sending/Sending.ts"
import * as SuppressedAddress from "./suppression/SuppressedAddress.ts"
import * as SuppressionStoreSql from "./suppression/SuppressionStoreSql.ts"
import * as Suppressions from "./suppression/Suppressions.ts"
import * as SystemMail from "./systemmail/SystemMail.ts"
import * as SystemMailSender from "./systemmail/SystemMailSender.ts"
import * as Transaction from "./Transaction.ts"
import * as TemplateStoreSql from "./templates/TemplateStoreSql.ts"
import * as Templates from "./templates/Templates.ts"
import * as HitStoreSql from "./tracking/HitStoreSql.ts"
import * as Hits from "./tracking/Hits.ts"
import * as TrackedHtml from "./tracking/TrackedHtml.ts"
import * as TrackingLinks from "./tracking/TrackingLinks.ts"
import * as ImageStore from "./uploads/ImageStore.ts"
import * as Images from "./uploads/Images.ts"
import * as Verification from "./verification/Verification.ts"
import type { VerificationDns } from "./verification/VerificationDns.ts"
import * as DeliveryStoreSql from "./webhooks/DeliveryStoreSql.ts"
import * as Telling from "./webhooks/Telling.ts"
import * as WebhookNudge from "./webhooks/WebhookNudge.ts"
import * as WebhookQueueSql from "./webhooks/WebhookQueueSql.ts"
import * as WebhookRequests from "./webhooks/WebhookRequests.ts"
import * as WebhookSecrets from "./webhooks/WebhookSecrets.ts"
import * as WebhookStoreSql from "./webhooks/WebhookStoreSql.ts"
import * as Webhooks from "./webhooks/Webhooks.ts"
import * as ExecutionStoreSql from "./workflows/executions/ExecutionStoreSql.ts"
import * as Executions from "./workflows/executions/Executions.ts"
import * as ExecutionTotals from "./workflows/executions/ExecutionTotals.ts"
import * as StepContents from "./workflows/graph/StepContents.ts"
import * as TriggerContents from "./workflows/graph/TriggerContents.ts"
import * as WorkflowChecks from "./workflows/graph/WorkflowChecks.ts"
import * as WorkflowGraphs from "./workflows/graph/WorkflowGraphs.ts"
import * as Advancement from "./workflows/run/Advancement.ts"
import * as RunNudge from "./workflows/run/RunNudge.ts"
import * as RunStoreSql from "./workflows/run/RunStoreSql.ts"
import * as Turns from "./workflows/run/Turns.ts"
import * as WebhookCalls from "./workflows/run/WebhookCalls.ts"
import * as SigningSecrets from "./workflows/SigningSecrets.ts"
import * as FiringStoreSql from "./workflows/start/FiringStoreSql.ts"
import * as Firings from "./workflows/start/Firings.ts"
import * as Starts from "./workflows/start/Starts.ts"
import * as Questions from "./workflows/steps/Questions.ts"
import * as Steps from "./workflows/steps/Steps.ts"
import * as WorkflowFields from "./workflows/WorkflowFields.ts"
import * as WorkflowSecretStore from "./workflows/WorkflowSecretStore.ts"
import * as WorkflowStoreSql from "./workflows/WorkflowStoreSql.ts"
import * as Workflows from "./workflows/Workflows.ts"
import * as WorkflowUses from "./workflows/WorkflowUses.ts"

/** Where everything lives; each needs the database, and of the others none but how addresses are suppressed. */
const storage = Layer.mergeAll(
  AcceptanceSql.layer,
  AccountStoreSql.layer,
  ActivityFeedSql.layer,
  Attempts.layerSql,
  AuditLog.layerSql,
  BillingAccounts.layerSql,
  BillingStoreSql.layer,
  CampaignResults.layerSql,
  CampaignStoreSql.layer,
  CampaignWork.layerSql,
  ChangeQueue.layerSql,
  ContactBatchStoreSql.layer,
  ContactFieldStoreSql.layer,
  ContactScanSql.layer,
  ContactStoreSql.layer,
  DeliveryQueueSql.layer,
  DeliveryStoreSql.layer,
  DomainStoreSql.layer,
  EmailStoreSql.layer,
  Layer.provide(EventLog.layerSql, EventNudge.layer),
  EventNudge.layer,
  EventOutbox.layerSql,
  EventStoreSql.layer,
  EventTotals.layerSql,
  ExecutionStoreSql.layer,
  ExecutionTotals.layerSql,
  HitStoreSql.layer,
  IdempotencyKeys.layerSql,
  ImageStore.layerSql,
  JobQueueSql.layer,
  LedgerSql.layer,
  MailedTokens.layerSql,
  MailTotals.layerSql,
  Memberships.layerSql,
  MemberStoreSql.layer,
  Meter.layerSql,
  PageStoreSql.layer,
  ParkedNotifications.layerSql,
  PeriodicJobs.layerSql,
  ProjectData.layerSql,
  ProjectStoreSql.layer,
  RateWindows.layerSql,
  RecordedEvents.layerSql,
  RowCounts.layerSql,
  RunningCampaignsSql.layer,
  SegmentMemberStoreSql.layer,
  SegmentStoreSql.layer,
  References.segmentUsers.pipe(Layer.provideMerge(Layer.mergeAll(CampaignUses.layerSql, WorkflowUses.layerSql))),
  SenderDomains.layerSql,
  SessionStore.layerSql,
  StandingStoreSql.layer,
  SuppressionStoreSql.layer,
  SystemMail.layerSql,
  TemplateStoreSql.layer,
  Transaction.layerSql,
  WaitingMail.layerSql,
  WebhookQueueSql.layerSql,
  WebhookStoreSql.layer,
  WorkflowSecretStore.layerSql,
  WorkflowStoreSql.layer
).pipe(Layer.provideMerge(SuppressedAddress.layer))

/** Whatever is signed or sealed with the installation's secret. */
const signatures = Layer.mergeAll(
  Cursors.layer,
  PublicLinks.layer,
  ReturnPath.layer,
  SecretBox.layer,
  TrackingLinks.layer
)

/** Projects, people, contacts, segments and domains: what every mail presupposes. */
const base = Layer.mergeAll(
  Audiences.layer,
  DomainTrust.layer,
  Events.layer,
  Pages.layer,
  PaymentEvents.layer,
  Segments.layer,
  Standing.layer,
  Suppressions.layer,
  SystemMailSender.layer,
  Templates.layer,
  Verification.layer,
  Warnings.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(Oauth.layer, OwnProjects.layer, SignIn.layer, Suspensions.layer)),
  Layer.provideMerge(Layer.mergeAll(Domains.layer, Members.layer, Passwords.layer, Sessions.layer)),
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, Billing.layer, Images.layer, Subscriptions.layer)),
  Layer.provideMerge(Layer.mergeAll(Contacts.layer, Projects.layer, SegmentCompute.layer, SigningKeys.layer)),
  Layer.provideMerge(Layer.mergeAll(DkimKeys.layer, KeyRing.layer, RateLimiter.layer)),
  Layer.provideMerge(signatures),
  Layer.provideMerge(storage)
)

/** What is done with many contacts, or told about them. */
const audience = Layer.mergeAll(
  Activity.layer,
  Analytics.layer,
  ContactBulk.layer,
  ContactExport.layer,
  ContactFields.layer,
  ContactLookups.layer,
  EventRecords.layer,
  Retention.layerSql
)

/** Mail from its acceptance to what became of it. */
const sending = Layer.mergeAll(audience, Hits.layer, Notices.layer, Persons.layer, Sending.layer).pipe(
  Layer.provideMerge(Layer.merge(ContactImport.layer, Emails.layer)),
  Layer.provideMerge(Layer.mergeAll(Assembly.layer, MailNudge.layer, Mailings.layerSql, References.layer)),
  Layer.provideMerge(Layer.mergeAll(PersonalMail.layer, TrackedHtml.layer))
)

const campaigns = Campaigns.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(CampaignContents.layer, CampaignStarts.layer, CampaignTests.layer)),
  Layer.provideMerge(CampaignNudge.layer)
)

/** Workflows as they are drawn. */
const workflows = Layer.mergeAll(
  SigningSecrets.layer,
  WorkflowFields.layer,
  WorkflowGraphs.layer,
  Workflows.layer
).pipe(
  Layer.provideMerge(WorkflowChecks.layer),
  Layer.provideMerge(Layer.mergeAll(StepContents.layer, TriggerContents.layer))
)

/** What carries contacts through workflows. */
const engine = Layer.mergeAll(Executions.layer, Firings.layer, Turns.layer, WebhookCalls.layer).pipe(
  Layer.provideMerge(Advancement.layer),
  Layer.provideMerge(Steps.layer),
  Layer.provideMerge(
    Layer.mergeAll(FiringStoreSql.layer, Questions.layerSql, RunNudge.layer, RunStoreSql.layer, Starts.layerSql)
  ),
  Layer.provideMerge(workflows)
)

/** What is told to endpoints outside. */
const webhooks = Layer.merge(Webhooks.layer, WebhookRequests.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Telling.layer, WebhookSecrets.layer)),
  Layer.provideMerge(WebhookNudge.layer)
)

const flows = Layer.mergeAll(campaigns, engine, webhooks)

/** What comes back from outside. */
const receivers = Receivers.layer.pipe(
  Layer.provideMerge(Intake.layer),
  Layer.provideMerge(Layer.mergeAll(Inbound.layer, MailReport.layer, SnsSignature.layer))
)

const services = Layer.mergeAll(flows, receivers).pipe(Layer.provideMerge(sending), Layer.provideMerge(base), marked)

/** Everything that handlers and loops call. */
export type Services = Layer.Success<typeof services>

/** What a host brings: database, secret, cryptography, DNS, and the way to build a message. */
export type Needs =
  | Aead.Aead
  | Composer
  | Digest.Digest
  | DnsResolver
  | Kdf.Kdf
  | Mac.Mac
  | PasswordHash
  | SafeFetch
  | Secrets
  | SecureRandom.SecureRandom
  | Signature.Signature
  | SqlClient.SqlClient
  | VerificationDns

export const layer: Layer.Layer<Services, never, Needs> = services
