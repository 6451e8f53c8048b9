/**
 * All services over one database, in three tiers, each built on those before it: the only place in the core that wires
 * them. Nothing in a tier knows anything of a later one.
 */
import { Layer } from "effect"
import type { Aead, Digest, Kdf, Mac, SecureRandom, Signature } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import * as AccountStoreSql from "./accounts/AccountStoreSql.ts"
import * as Accounts from "./accounts/Accounts.ts"
import type { PasswordHash } from "./accounts/PasswordHash.ts"
import * as Cursors from "./Cursors.ts"
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
import * as KeyRing from "./projects/KeyRing.ts"
import * as ProjectStoreSql from "./projects/ProjectStoreSql.ts"
import * as Projects from "./projects/Projects.ts"
import * as References from "./References.ts"
import * as SecretBox from "./SecretBox.ts"
import type { Secrets } from "./Secrets.ts"
import * as Audiences from "./segments/Audiences.ts"
import * as ChangeQueue from "./segments/ChangeQueue.ts"
import * as MemberStoreSql from "./segments/MemberStoreSql.ts"
import * as Memberships from "./segments/Memberships.ts"
import * as SegmentCompute from "./segments/SegmentCompute.ts"
import * as SegmentStoreSql from "./segments/SegmentStoreSql.ts"
import * as Segments from "./segments/Segments.ts"
import * as SegmentUsers from "./segments/SegmentUsers.ts"
import * as Assembly from "./sending/Assembly.ts"
import * as DeliveryQueueSql from "./sending/DeliveryQueueSql.ts"
import type { Composer } from "./sending/Mailer.ts"
import * as MailNudge from "./sending/MailNudge.ts"
import * as Notices from "./sending/Notices.ts"
import * as PersonalMail from "./sending/PersonalMail.ts"
import * as ReturnPath from "./sending/ReturnPath.ts"
import * as Sending from "./sending/Sending.ts"
import * as AddressHashes from "./suppression/AddressHashes.ts"
import * as Suppressions from "./suppression/Suppressions.ts"
import * as Transaction from "./Transaction.ts"
import * as TemplateStoreSql from "./templates/TemplateStoreSql.ts"
import * as Templates from "./templates/Templates.ts"
import * as Verification from "./verification/Verification.ts"
import type { VerificationDns } from "./verification/VerificationDns.ts"

const suppressions = Layer.provideMerge(Suppressions.layerSql, AddressHashes.layer)

/** Where everything lives; each needs the database, and of the others none but the suppressions. */
const storage = Layer.mergeAll(
  AccountStoreSql.layer,
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
  IdempotencyKeys.layerSql,
  JobQueueSql.layer,
  LedgerSql.layer,
  MemberStoreSql.layer,
  Memberships.layerSql,
  PeriodicJobs.layerSql,
  ProjectStoreSql.layer,
  RateWindows.layerSql,
  RecordedEvents.layerSql,
  SegmentStoreSql.layer,
  SegmentUsers.layerNone,
  SenderDomains.layerSql,
  TemplateStoreSql.layer,
  Transaction.layerSql
).pipe(Layer.provideMerge(suppressions))

const signatures = Layer.mergeAll(Cursors.layer, PublicLinks.layer, ReturnPath.layer, SecretBox.layer)

const base = Layer.mergeAll(
  Accounts.layer,
  Audiences.layer,
  Domains.layer,
  DomainTrust.layer,
  Events.layer,
  Segments.layer,
  Templates.layer,
  Verification.layer
).pipe(
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

const sending = Layer.mergeAll(audience, Persons.layer, Notices.layer, Sending.layer).pipe(
  Layer.provideMerge(Emails.layer),
  Layer.provideMerge(Layer.mergeAll(Assembly.layer, MailNudge.layer, PersonalMail.layer, References.layer))
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
  | Secrets
  | SecureRandom.SecureRandom
  | Signature.Signature
  | SqlClient.SqlClient
  | VerificationDns

export type Services = Layer.Success<typeof services>

const services = Layer.provideMerge(sending, base)

export const layer: Layer.Layer<Services, never, Needs> = services
