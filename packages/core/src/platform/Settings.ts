/** Settings of a host, with their defaults. */
import { Context, Duration, type Redacted } from "effect"
import { type Allowed, nothingAllowed } from "./outbound/PublicAddress.ts"

export interface Settings {
  /** Base of every link in an email, without a trailing slash. */
  readonly publicUrl: string
  /** Origins of pages that may call the project endpoints from a browser. */
  readonly dashboardOrigins: ReadonlyArray<string>
  /** Whether the host serves the console, at `/console` below the public URL. */
  readonly hasConsole: boolean
  /** Requests of each project in any 60 seconds. 0 removes the limit. */
  readonly rateLimitPerMinute: number
  /** Messages of each project that come by SMTP, in any 60 seconds. 0 removes the limit. */
  readonly submissionRatePerMinute: number
  /** Emails a second for a project without a rate of its own. 0: as fast as the transport accepts them. */
  readonly sendRatePerSecond: number
  /** How long an Idempotency-Key is stored. */
  readonly idempotencyLifetime: Duration.Duration
  readonly maxAttachments: number
  /** Largest total of all attachments of a request, after base64 decoding. */
  readonly maxAttachmentBytes: number
  /** Largest encoded message, for each recipient. */
  readonly maxMessageBytes: number
  /** Largest number of scheduled emails of a project that wait at a time. 0 removes the limit. */
  readonly maxScheduledEmails: number
  /**
   * Confirmation mails of public sign-ups that a project sends in any hour. Later ones wait for at most a day. 0 removes
   * the limit.
   */
  readonly optInMailsPerHour: number
  /** How long an ambiguous email waits for evidence of its delivery before it is sent again. */
  readonly evidenceWait: { readonly transactional: Duration.Duration; readonly bulk: Duration.Duration }
  /** Whether the mailbox provider of a domain that is not in the shipped list is looked up in DNS. */
  readonly providerLookup: boolean
  /** Addresses from which the mail servers of the installation send, whose reverse DNS is checked. */
  readonly sendingIps: ReadonlyArray<string>
  /** Host name that receives bounces. Without it, bounces go to the From address. */
  readonly bounceDomain: string | undefined
  /** Host name that link hosts of customers lead to by CNAME. Default: the host of the public URL, if it has one alone. */
  readonly linkHost: string | undefined
  /** Label below a sender domain that forms its return path. */
  readonly returnPathLabel: string
  /**
   * Verifies the signatures of neutral notifications and raw mail: `whsec_` and base64, or plain text. Without it,
   * these requests get a 503.
   */
  readonly notificationSecret: Redacted.Redacted<string> | undefined
  /** Topics of Amazon SNS whose messages are accepted. Without any, these requests get a 503. */
  readonly snsTopics: ReadonlyArray<string>
  /** Whether the host has its own SMTP listener, which receives bounces and inbound mail. */
  readonly listensForMail: boolean
  /** Emails a month for a project without a subscription, where subscriptions are sold. */
  readonly freeEmails: number
  /** Whether a project with critical bounce or complaint rates is disabled. */
  readonly autoSuspend: boolean
  /** Sender of the service's own emails. Default: `posthorn@` and the host of the public URL. */
  readonly platformFrom: string | undefined
  /** Where to report a vulnerability: `mailto:`, `https:` or `tel:` URIs. Without any there is no security.txt. */
  readonly securityContacts: ReadonlyArray<string>
  /** Days after which email records are deleted, from their creation. 0: never. */
  readonly retainEmailsDays: number
  /** Days after which records of mail of test mode are deleted, from their creation. 0: never. */
  readonly retainTestEmailsDays: number
  /**
   * Days after which texts, attachments and server replies are deleted, from the last change of their email. 0: never.
   */
  readonly retainBodiesDays: number
  /** Days after which events are deleted, from their recording. 0: never. */
  readonly retainEventsDays: number
  /** Days after which context, outputs and config snapshots of executions are cleared, from their end. 0: never. */
  readonly retainContextDays: number
  /**
   * Who may sign up: anyone (`open`), anyone until the first account exists (`first`), or no one (`invited`). An
   * invited person can always create an account, and so can an operator.
   */
  readonly signups: "first" | "invited" | "open"
  /** Whether a session needs a confirmed address to use projects. Keys are not affected. */
  readonly emailVerificationRequired: boolean
  /** Addresses, besides public ones, that requests to users' URLs may reach. */
  readonly outboundAllowed: Allowed
  /** How long webhook deliveries and their payloads are stored. */
  readonly deliveriesKept: Duration.Duration
  /** Dev mode: domains under `.test`, `.example` and `.localhost` are verified without DNS. */
  readonly devMode: boolean
  readonly version: string
}

const megabyte = 1024 * 1024

export const defaults: Settings = {
  publicUrl: "http://127.0.0.1:3000",
  dashboardOrigins: [],
  hasConsole: false,
  rateLimitPerMinute: 1000,
  submissionRatePerMinute: 6000,
  sendRatePerSecond: 0,
  idempotencyLifetime: Duration.hours(24),
  maxAttachments: 10,
  maxAttachmentBytes: 10 * megabyte,
  maxMessageBytes: 40 * megabyte,
  maxScheduledEmails: 100_000,
  optInMailsPerHour: 500,
  evidenceWait: { transactional: Duration.seconds(20), bulk: Duration.seconds(60) },
  providerLookup: true,
  sendingIps: [],
  bounceDomain: undefined,
  linkHost: undefined,
  returnPathLabel: "bounce",
  notificationSecret: undefined,
  snsTopics: [],
  listensForMail: false,
  freeEmails: 1000,
  autoSuspend: true,
  platformFrom: undefined,
  securityContacts: [],
  retainEmailsDays: 0,
  retainTestEmailsDays: 30,
  retainBodiesDays: 90,
  retainEventsDays: 0,
  retainContextDays: 90,
  signups: "first",
  emailVerificationRequired: false,
  outboundAllowed: nothingAllowed,
  deliveriesKept: Duration.days(30),
  devMode: false,
  version: "0.0.0"
}

export const Settings = Context.Reference<Settings>("@posthorn/core/platform/Settings", {
  defaultValue: () => defaults
})
