/** What a host may set; every value has a default that is right for most. */
import { Context, Duration, type Redacted } from "effect"
import { type Allowed, nothingAllowed } from "./outbound/PublicAddress.ts"

export interface Settings {
  /** Base of every link in a mail, without a slash at the end. */
  readonly publicUrl: string
  /** Origins whose pages may call the project endpoints from a browser. */
  readonly dashboardOrigins: ReadonlyArray<string>
  /** Requests in any 60 seconds, for each project; 0 lifts the limit. */
  readonly rateLimitPerMinute: number
  /** Mails a second for each project that has no rate of its own; 0 means as fast as the transport takes them. */
  readonly sendRatePerSecond: number
  /** How long an Idempotency-Key is remembered. */
  readonly idempotencyLifetime: Duration.Duration
  readonly maxAttachments: number
  /** All attachments of a request together, after base64. */
  readonly maxAttachmentBytes: number
  /** The assembled message, encoded, for each recipient. */
  readonly maxMessageBytes: number
  /** How long ambiguous mail waits for a sign of its delivery before it is sent again. */
  readonly evidenceWait: { readonly transactional: Duration.Duration; readonly bulk: Duration.Duration }
  /** Host name that takes bounces; without it they go to the From address. */
  readonly bounceDomain: string | undefined
  /** Label below a sender domain that is its return path. */
  readonly returnPathLabel: string
  /**
   * Signs neutral notifications and raw mail: `whsec_` and base64, or plain text (rulings 28). Without it they are
   * answered with 503.
   */
  readonly notificationSecret: Redacted.Redacted<string> | undefined
  /** Topics of Amazon SNS whose messages are believed; without any they are answered with 503. */
  readonly snsTopics: ReadonlyArray<string>
  /** The host has an SMTP listener of its own, which takes bounces and inbound mail. */
  readonly listensForMail: boolean
  /** Emails a month for each project without a subscription, where subscriptions are sold. */
  readonly freeEmails: number
  /** A project whose bounces or complaints are critical is disabled. */
  readonly autoSuspend: boolean
  /** Sender of the service's own mail; else `posthorn@` the host of the public URL. */
  readonly platformFrom: string | undefined
  /** Records of mail are deleted so many days after they were made; 0 keeps them for ever. */
  readonly retainEmailsDays: number
  /** Texts, attachments and replies of servers go so many days after the last that happened to their mail; 0: never. */
  readonly retainBodiesDays: number
  /** Events are deleted so many days after they were recorded; 0 keeps them for ever. */
  readonly retainEventsDays: number
  /** Context, outputs and config snapshots of executions are cleared so many days after the end; 0: never. */
  readonly retainContextDays: number
  /** Nobody signs up; invitations still make accounts. */
  readonly signupsDisabled: boolean
  /** A session of a user whose address is not confirmed cannot use projects. Keys are never affected. */
  readonly emailVerificationRequired: boolean
  /** What requests to others' URLs may reach besides public addresses. */
  readonly outboundAllowed: Allowed
  /** How long webhook deliveries and their payloads are kept. */
  readonly deliveriesKept: Duration.Duration
  /** Dev mode: domains under `.test`, `.example` and `.localhost` are verified without DNS. */
  readonly devMode: boolean
  readonly version: string
}

const megabyte = 1024 * 1024

export const defaults: Settings = {
  publicUrl: "http://127.0.0.1:3000",
  dashboardOrigins: [],
  rateLimitPerMinute: 1000,
  sendRatePerSecond: 0,
  idempotencyLifetime: Duration.hours(24),
  maxAttachments: 10,
  maxAttachmentBytes: 10 * megabyte,
  maxMessageBytes: 40 * megabyte,
  evidenceWait: { transactional: Duration.seconds(20), bulk: Duration.seconds(60) },
  bounceDomain: undefined,
  returnPathLabel: "bounce",
  notificationSecret: undefined,
  snsTopics: [],
  listensForMail: false,
  freeEmails: 1000,
  autoSuspend: true,
  platformFrom: undefined,
  retainEmailsDays: 0,
  retainBodiesDays: 90,
  retainEventsDays: 0,
  retainContextDays: 90,
  signupsDisabled: false,
  emailVerificationRequired: false,
  outboundAllowed: nothingAllowed,
  deliveriesKept: Duration.days(30),
  devMode: false,
  version: "0.0.0"
}

export const Settings = Context.Reference<Settings>("@posthorn/core/Settings", { defaultValue: () => defaults })
