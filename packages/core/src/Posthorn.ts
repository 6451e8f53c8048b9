/**
 * All services over one database, in three tiers, each built on those before it: the only place in the core that wires
 * them. Nothing in a tier knows anything of a later one.
 */
import { Layer } from "effect"
import type { Aead, Digest, Kdf, Mac, SecureRandom, Signature } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import * as AccountStoreSql from "./accounts/AccountStoreSql.ts"
import * as Accounts from "./accounts/Accounts.ts"
import * as Attempts from "./accounts/Attempts.ts"
import * as MailedTokens from "./accounts/MailedTokens.ts"
import type { PasswordHash } from "./accounts/PasswordHash.ts"
import * as Passwords from "./accounts/Passwords.ts"
import * as SessionStore from "./accounts/SessionStore.ts"
import * as Sessions from "./accounts/Sessions.ts"
import * as SignIn from "./accounts/SignIn.ts"
import * as Cursors from "./Cursors.ts"
import * as CampaignContents from "./campaigns/CampaignContents.ts"
import * as CampaignNudge from "./campaigns/CampaignNudge.ts"
import * as CampaignStarts from "./campaigns/CampaignStarts.ts"
import * as CampaignStoreSql from "./campaigns/CampaignStoreSql.ts"
import * as Campaigns from "./campaigns/Campaigns.ts"
import * as CampaignTests from "./campaigns/CampaignTests.ts"
import * as CampaignUses from "./campaigns/CampaignUses.ts"
import * as CampaignWork from "./campaigns/CampaignWork.ts"
import * as ContactBatchStoreSql from "./contacts/ContactBatchStoreSql.ts"
import * as ContactBulk from "./contacts/ContactBulk.ts"
import * as ContactExport from "./contacts/ContactExport.ts"
import * as ContactFieldStoreSql from "./contacts/ContactFieldStoreSql.ts"
import * as ContactFields from "./contacts/ContactFields.ts"
import * as ContactImport from "./contacts/ContactImport.ts"
import * as ContactLookups from "./contacts/ContactLookups.ts"
import * as ContactScanSql from "./contacts/ContactScanSql.ts"
import * as ContactStoreSql from "./contacts/ContactStoreSql.ts"
import * as Contacts from "./contacts/Contacts.ts"
import * as Persons from "./contacts/Persons.ts"
import * as DkimKeys from "./domains/DkimKeys.ts"
import type { DnsResolver } from "./domains/DnsResolver.ts"
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
import * as EventRecords from "./events/EventRecords.ts"
import * as EventStoreSql from "./events/EventStoreSql.ts"
import * as Events from "./events/Events.ts"
import * as RecordedEvents from "./events/RecordedEvents.ts"
import * as IdempotencyKeys from "./http/IdempotencyKeys.ts"
import * as RateLimiter from "./http/RateLimiter.ts"
import * as RateWindows from "./http/RateWindows.ts"
import * as JobQueueSql from "./jobs/JobQueueSql.ts"
import * as PeriodicJobs from "./jobs/PeriodicJobs.ts"
import * as PublicLinks from "./links/PublicLinks.ts"
import * as ProjectMemberStoreSql from "./members/MemberStoreSql.ts"
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
import * as Inbound from "./receivers/Inbound.ts"
import * as Intake from "./receivers/Intake.ts"
import * as MailReport from "./receivers/MailReport.ts"
import * as ParkedNotifications from "./receivers/ParkedNotifications.ts"
import * as Receivers from "./receivers/Receivers.ts"
import * as SnsSignature from "./receivers/SnsSignature.ts"
import * as SecretBox from "./SecretBox.ts"
import type { Secrets } from "./Secrets.ts"
import * as Standing from "./security/Standing.ts"
import * as StandingStoreSql from "./security/StandingStoreSql.ts"
import * as Suspensions from "./security/Suspensions.ts"
import * as Audiences from "./segments/Audiences.ts"
import * as ChangeQueue from "./segments/ChangeQueue.ts"
import * as MemberStoreSql from "./segments/MemberStoreSql.ts"
import * as Memberships from "./segments/Memberships.ts"
import * as SegmentCompute from "./segments/SegmentCompute.ts"
import * as SegmentStoreSql from "./segments/SegmentStoreSql.ts"
import * as Segments from "./segments/Segments.ts"
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
import * as Verification from "./verification/Verification.ts"
import type { VerificationDns } from "./verification/VerificationDns.ts"

/** Where everything lives; each needs the database, and of the others none but how addresses are suppressed. */
const storage = Layer.mergeAll(
  AccountStoreSql.layer,
  Attempts.layerSql,
  CampaignStoreSql.layer,
  CampaignWork.layerSql,
  ChangeQueue.layerSql,
  ContactBatchStoreSql.layer,
  ContactFieldStoreSql.layer,
  ContactScanSql.layer,
  ContactStoreSql.layer,
  DeliveryQueueSql.layer,
  DomainStoreSql.layer,
  EmailStoreSql.layer,
  EventLog.layerSql,
  EventStoreSql.layer,
  HitStoreSql.layer,
  IdempotencyKeys.layerSql,
  JobQueueSql.layer,
  LedgerSql.layer,
  MailedTokens.layerSql,
  MemberStoreSql.layer,
  Memberships.layerSql,
  ProjectMemberStoreSql.layer,
  ParkedNotifications.layerSql,
  PageStoreSql.layer,
  PeriodicJobs.layerSql,
  ProjectData.layerSql,
  ProjectStoreSql.layer,
  RateWindows.layerSql,
  RecordedEvents.layerSql,
  SegmentStoreSql.layer,
  CampaignUses.segmentUsers.pipe(Layer.provideMerge(CampaignUses.layerSql)),
  SenderDomains.layerSql,
  SessionStore.layerSql,
  StandingStoreSql.layer,
  SuppressionStoreSql.layer,
  SystemMail.layerSql,
  TemplateStoreSql.layer,
  Transaction.layerSql,
  WaitingMail.layerSql
).pipe(Layer.provideMerge(SuppressedAddress.layer))

const signatures = Layer.mergeAll(
  Cursors.layer,
  PublicLinks.layer,
  ReturnPath.layer,
  SecretBox.layer,
  TrackingLinks.layer
)

const base = Layer.mergeAll(
  Audiences.layer,
  Domains.layer,
  DomainTrust.layer,
  Events.layer,
  Pages.layer,
  Segments.layer,
  Standing.layer,
  Suppressions.layer,
  SystemMailSender.layer,
  Templates.layer,
  Verification.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(OwnProjects.layer, SignIn.layer, Suspensions.layer)),
  Layer.provideMerge(Layer.mergeAll(Domains.layer, Members.layer, Passwords.layer, Sessions.layer)),
  Layer.provideMerge(Accounts.layer),
  Layer.provideMerge(Layer.mergeAll(Contacts.layer, Projects.layer, SegmentCompute.layer, SigningKeys.layer)),
  Layer.provideMerge(Layer.mergeAll(DkimKeys.layer, KeyRing.layer, RateLimiter.layer)),
  Layer.provideMerge(signatures),
  Layer.provideMerge(storage)
)

const audience = Layer.mergeAll(
  ContactBulk.layer,
  ContactExport.layer,
  ContactFields.layer,
  ContactImport.layer,
  ContactLookups.layer,
  EventRecords.layer
)

const sending = Layer.mergeAll(audience, Hits.layer, Notices.layer, Persons.layer, Sending.layer).pipe(
  Layer.provideMerge(Emails.layer),
  Layer.provideMerge(Layer.mergeAll(Assembly.layer, MailNudge.layer, Mailings.layerSql, References.layer)),
  Layer.provideMerge(Layer.mergeAll(PersonalMail.layer, TrackedHtml.layer))
)

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

/** What comes back from outside. */
const receivers = Receivers.layer.pipe(
  Layer.provideMerge(Intake.layer),
  Layer.provideMerge(Layer.mergeAll(Inbound.layer, MailReport.layer, SnsSignature.layer))
)

export type Services = Layer.Success<typeof services>

const flows = Campaigns.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(CampaignContents.layer, CampaignStarts.layer, CampaignTests.layer)),
  Layer.provideMerge(CampaignNudge.layer)
)

const services = Layer.mergeAll(flows, receivers).pipe(Layer.provideMerge(sending), Layer.provideMerge(base))

export const layer: Layer.Layer<Services, never, Needs> = services
