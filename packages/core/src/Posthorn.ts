/**
 * Builds all services over one database. This is the only place in the core that wires them.
 *
 * The services form tiers, and each tier depends only on earlier ones: storage; services of one capability (`base`);
 * accepted mail (`sending`); what steps of workflows use (`steps`); campaigns and what reports from outside need. Within
 * a tier, a later `provideMerge` provides for the lines before it.
 */

import { Layer } from "effect"
import type { Aead, Digest, Kdf, Mac, SecureRandom, Signature } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import * as Billing from "./accounts/billing/Billing.ts"
import * as BillingStoreSql from "./accounts/billing/BillingStoreSql.ts"
import * as PaymentEvents from "./accounts/billing/PaymentEvents.ts"
import * as Subscriptions from "./accounts/billing/Subscriptions.ts"
import * as AccountStoreSql from "./accounts/people/AccountStoreSql.ts"
import * as Accounts from "./accounts/people/Accounts.ts"
import * as Oauth from "./accounts/people/Oauth.ts"
import type { PasswordHash } from "./accounts/people/PasswordHash.ts"
import * as Sessions from "./accounts/people/Sessions.ts"
import * as SignIn from "./accounts/people/SignIn.ts"
import * as ApiKeyStoreSql from "./accounts/projects/ApiKeyStoreSql.ts"
import * as ProjectStoreSql from "./accounts/projects/ProjectStoreSql.ts"
import * as Projects from "./accounts/projects/Projects.ts"
import * as SystemMail from "./accounts/systemmail/SystemMail.ts"
import * as ContactStoreSql from "./audience/contacts/ContactStoreSql.ts"
import * as Contacts from "./audience/contacts/Contacts.ts"
import * as ContactFields from "./audience/contacts/fields/ContactFields.ts"
import * as FormSubmissions from "./audience/forms/FormSubmissions.ts"
import * as OptInRequests from "./audience/optins/OptInRequests.ts"
import * as SegmentStoreSql from "./audience/segments/SegmentStoreSql.ts"
import * as Segments from "./audience/segments/Segments.ts"
import * as AudienceRules from "./audience/settings/AudienceRules.ts"
import * as SuppressedAddress from "./audience/suppression/SuppressedAddress.ts"
import * as Suppressions from "./audience/suppression/Suppressions.ts"
import * as Topics from "./audience/topics/Topics.ts"
import * as Verification from "./audience/verification/Verification.ts"
import type { VerificationDns } from "./audience/verification/VerificationDns.ts"
import * as CampaignStoreSql from "./automation/campaigns/CampaignStoreSql.ts"
import * as Campaigns from "./automation/campaigns/Campaigns.ts"
import { cancelRunning } from "./automation/campaigns/RunningCampaignsSql.ts"
import * as ExecutionStoreSql from "./automation/workflows/executions/ExecutionStoreSql.ts"
import * as RunStoreSql from "./automation/workflows/run/RunStoreSql.ts"
import * as SigningSecrets from "./automation/workflows/SigningSecrets.ts"
import * as AllowanceSql from "./automation/workflows/steps/AllowanceSql.ts"
import * as ConditionQueries from "./automation/workflows/steps/ConditionQueries.ts"
import * as ExperimentSql from "./automation/workflows/steps/ExperimentSql.ts"
import * as WorkflowStoreSql from "./automation/workflows/WorkflowStoreSql.ts"
import * as LinkTotals from "./content/links/LinkTotals.ts"
import * as PartialStoreSql from "./content/partials/PartialStoreSql.ts"
import * as Partials from "./content/partials/Partials.ts"
import * as TemplateStoreSql from "./content/templates/TemplateStoreSql.ts"
import * as Templates from "./content/templates/Templates.ts"
import * as Images from "./content/uploads/Images.ts"
import * as EventLog from "./events/EventLog.ts"
import * as Live from "./insight/live/Live.ts"
import * as DomainStoreSql from "./mail/domains/DomainStoreSql.ts"
import * as Domains from "./mail/domains/Domains.ts"
import * as LinkHosts from "./mail/domains/LinkHosts.ts"
import * as SenderDomainsSql from "./mail/domains/SenderDomainsSql.ts"
import * as LedgerSql from "./mail/ledger/LedgerSql.ts"
import * as SendingPolicy from "./mail/policy/SendingPolicy.ts"
import * as Receivers from "./mail/receivers/Receivers.ts"
import * as SuspensionRules from "./mail/reputation/SuspensionRules.ts"
import * as ConfirmationEmails from "./mail/sending/ConfirmationEmails.ts"
import * as DeliveryQueueSql from "./mail/sending/DeliveryQueueSql.ts"
import * as MailRenderer from "./mail/sending/MailRenderer.ts"
import * as MessageBuilder from "./mail/sending/MessageBuilder.ts"
import * as ReturnPath from "./mail/sending/ReturnPath.ts"
import * as Sending from "./mail/sending/Sending.ts"
import * as SystemMailSender from "./mail/sending/SystemMailSender.ts"
import * as TemplateMail from "./mail/sending/TemplateMail.ts"
import * as Submission from "./mail/submission/Submission.ts"
import * as Engagement from "./mail/tracking/Engagement.ts"
import * as TrackingLinks from "./mail/tracking/TrackingLinks.ts"
import * as Cursors from "./platform/Cursors.ts"
import type { DnsResolver } from "./platform/dns/DnsResolver.ts"
import * as BodyReaders from "./platform/http/BodyReaders.ts"
import * as IdempotencyKeys from "./platform/http/IdempotencyKeys.ts"
import * as RateLimiter from "./platform/http/RateLimiter.ts"
import * as RateWindows from "./platform/http/RateWindows.ts"
import { marked } from "./platform/http/RequestContext.ts"
import * as JobQueueSql from "./platform/jobs/JobQueueSql.ts"
import * as PublicLinks from "./platform/links/PublicLinks.ts"
import * as RequestLinks from "./platform/links/RequestLinks.ts"
import type { Composer, MailServers } from "./platform/Mailer.ts"
import type { SafeFetch } from "./platform/outbound/SafeFetch.ts"
import * as ParkedNotifications from "./platform/ParkedNotifications.ts"
import * as SecretBox from "./platform/SecretBox.ts"
import type { Secrets } from "./platform/Secrets.ts"
import * as Transaction from "./platform/Transaction.ts"
import * as Wakeups from "./platform/Wakeups.ts"
import * as DataSubjectRequests from "./service/DataSubjectRequests.ts"
import * as References from "./service/References.ts"
import * as SecretRotation from "./service/secrets/SecretRotation.ts"
import * as DeliveryStoreSql from "./webhooks/DeliveryStoreSql.ts"
import * as TestEventFanout from "./webhooks/TestEventFanout.ts"
import * as WebhookStoreSql from "./webhooks/WebhookStoreSql.ts"

/** Storage. Each store needs the database. Apart from `SuppressedAddress`, stores do not need one another. */
const storage = Layer.mergeAll(
  AccountStoreSql.layer,
  ApiKeyStoreSql.layer,
  AudienceRules.layer,
  BillingStoreSql.layer,
  CampaignStoreSql.layer,
  ContactStoreSql.layer,
  DeliveryQueueSql.layer,
  DeliveryStoreSql.layer,
  DomainStoreSql.layer,
  EventLog.layerSql,
  ExecutionStoreSql.layer,
  IdempotencyKeys.layerSql,
  JobQueueSql.layer,
  LedgerSql.layer,
  LinkTotals.layer,
  ParkedNotifications.layerSql,
  PartialStoreSql.layer,
  ProjectStoreSql.layer,
  RateWindows.layerSql,
  RunStoreSql.layer,
  SegmentStoreSql.layer,
  References.layer,
  SenderDomainsSql.layerSql,
  SendingPolicy.layer,
  SystemMail.layerSql,
  TemplateStoreSql.layer,
  Transaction.layerSql,
  WebhookStoreSql.layer,
  WorkflowStoreSql.layer
).pipe(Layer.provideMerge(Layer.merge(SuppressedAddress.layer, Wakeups.layer)))

/** Services that sign or seal with the installation's secret. */
const signatures = Layer.mergeAll(
  Cursors.layer,
  PublicLinks.layer,
  RequestLinks.layer,
  ReturnPath.layer,
  SecretBox.layer,
  TrackingLinks.layer
)

/** Projects, accounts, contacts, segments and domains. Sending mail depends on them. */
const base = Layer.mergeAll(
  BodyReaders.layer,
  LinkHosts.layer,
  Oauth.layer,
  PaymentEvents.layer,
  Segments.layer,
  Suppressions.layer,
  SystemMailSender.layer,
  Verification.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(SignIn.layer, SuspensionRules.layer(cancelRunning))),
  Layer.provideMerge(Layer.mergeAll(Domains.layer, Sessions.layer)),
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, Images.layer, Subscriptions.layer)),
  Layer.provideMerge(Layer.mergeAll(Contacts.layer, RateLimiter.layer)),
  // A write of a contact may ask it to confirm, which sends a mail.
  Layer.provideMerge(OptInRequests.layer),
  Layer.provideMerge(ConfirmationEmails.layer),
  Layer.provideMerge(Layer.mergeAll(Billing.layer, MailRenderer.layer, Templates.layer)),
  Layer.provideMerge(Layer.mergeAll(Partials.layer, Projects.layer)),
  Layer.provideMerge(Topics.layer),
  Layer.provideMerge(signatures)
)

/** Operations on many contacts, and reports about them. */
const audience = Layer.mergeAll(Live.layer, ContactFields.layer, FormSubmissions.layer, SecretRotation.layer)

/** Emails, from acceptance to delivery reports. */
const sending = Layer.mergeAll(
  audience,
  Engagement.layer,
  DataSubjectRequests.layer,
  Submission.layer,
  TemplateMail.layer
).pipe(Layer.provideMerge(Sending.layer), Layer.provideMerge(MessageBuilder.layer))

/** What steps of workflows use beside their executions. A test run puts others in their place. */
const steps = Layer.mergeAll(AllowanceSql.layer, ConditionQueries.layer, ExperimentSql.layer, SigningSecrets.layer)

const withStores = <E, R>(stores: Layer.Layer<Layer.Success<typeof storage>, E, Layer.Services<typeof storage> | R>) =>
  Layer.mergeAll(Campaigns.layer, Receivers.layer, TestEventFanout.layer).pipe(
    Layer.provideMerge(steps),
    Layer.provideMerge(sending),
    Layer.provideMerge(base),
    Layer.provideMerge(stores),
    marked
  )

const services = withStores(storage)

/** The services that handlers and loops call. */
export type Services = Layer.Success<typeof services>

/** The storage ports, and the other services of their tier. */
export type Stores = Layer.Success<typeof storage>

/** What a host provides: database, secret, cryptography, DNS, and the composer of messages. */
export type Needs =
  | Aead.Aead
  | Composer
  | Digest.Digest
  | DnsResolver
  | Kdf.Kdf
  | Mac.Mac
  | MailServers
  | PasswordHash
  | SafeFetch
  | Secrets
  | SecureRandom.SecureRandom
  | Signature.Signature
  | SqlClient.SqlClient
  | VerificationDns

export const layer: Layer.Layer<Services, never, Needs> = services

/** Like `layer`, with stores of the host in place of the built-in ones. Each must pass the test suite of its port. */
export const layerWith = <A extends Stores, E, R>(stores: Layer.Layer<A, E, R>): Layer.Layer<Services, E, Needs | R> =>
  withStores(Layer.merge(storage, stores))
