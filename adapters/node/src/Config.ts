/** The settings of the operator, read once at the start. */
import type { Allowed } from "@posthorn/core/platform/outbound/PublicAddress"
import { defaults, type Settings } from "@posthorn/core/platform/Settings"
import { SmtpUrl } from "@posthorn/mailer-smtp"
import type { Clients } from "@posthorn/platform-node/identity/Identity"
import type { StripeAccount } from "@posthorn/platform-node/payments/StripePayments"
import type { Bucket } from "@posthorn/platform-node/storage/S3Storage"
import { Array, Data, Duration, Effect, type LogLevel, Option, type Redacted, Runtime } from "effect"
import { type Missing, together } from "./config/Together.ts"
import { InvalidSetting, parse, readVariable, type Variable } from "./config/Variable.ts"
import { variables } from "./config/Variables.ts"
import { noProxies, type TrustedProxies } from "./http/ClientAddress.ts"
import type * as SubmissionServer from "./submission/SubmissionServer.ts"
import { version } from "./Version.ts"

/**
 * - `serve`: the service.
 * - `dev`: needs no settings and serves the development pages.
 * - `operate`: one command on the database. It sends no email and listens on no port.
 */
export type RunMode = "dev" | "operate" | "serve"

/** What a process does: answer requests, deliver mail and run jobs, or both. */
export type Role = "all" | "api" | "worker"

/** The options of a command line. They take precedence over the environment. */
export interface Options {
  readonly host?: string | undefined
  /** 0 selects a free port. */
  readonly port?: number | undefined
  readonly dataDir?: string | undefined
  /** Dev mode: a PostgreSQL URL to use instead of the embedded database. */
  readonly database?: string | undefined
  /** Dev mode: the port of the mailbox's SMTP server; 0 selects a free one. */
  readonly smtpPort?: number | undefined
  /** Dev mode: other machines may also open its pages. */
  readonly open?: boolean | undefined
  readonly role?: Role | undefined
}

export interface Config {
  readonly mode: RunMode
  readonly role: Role
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** Dev mode without a chosen port: if the port is in use, one of the next ports is used. */
  readonly orNext: boolean
  /** Dev mode: the port of the mailbox's SMTP server. `undefined`: 1025, or a free one if that is in use. */
  readonly smtpPort: number | undefined
  /** Dev mode: other machines may also open its pages. */
  readonly open: boolean
  /** A worker listens only if a port is set, so that many workers can run on one machine. */
  readonly listens: boolean
  /** `undefined`: the address that the server listens on. */
  readonly publicUrl: string | undefined
  /** `undefined`: the embedded database in the data folder. */
  readonly databaseUrl: Redacted.Redacted<string> | undefined
  /** PostgreSQL itself, if the other URL is that of a pooler in transaction mode. */
  readonly databaseDirectUrl: Redacted.Redacted<string> | undefined
  /** A replica for counts, exports and statistics. `undefined`: the primary. */
  readonly databaseRead: { readonly url: Redacted.Redacted<string>; readonly maxAge: Duration.Duration } | undefined
  /** Where rate limits are counted. `undefined`: in the database. */
  readonly redisUrl: Redacted.Redacted<string> | undefined
  /** What carries wake-ups between processes. `undefined`: NOTIFY of PostgreSQL. */
  readonly nats: { readonly url: Redacted.Redacted<string>; readonly subject: string } | undefined
  /** The most connections of the pool of this process. */
  readonly databaseConnections: number
  readonly dataDir: string
  /** `undefined`: the secret in the data folder. */
  readonly secret: Redacted.Redacted<string> | undefined
  /** Newest first. */
  readonly secretPrevious: ReadonlyArray<Redacted.Redacted<string>>
  /** In order of failover. `undefined`: the mailbox in dev mode, or a role that sends no mail. */
  readonly transports: Array.NonEmptyReadonlyArray<SmtpUrl.SmtpTransport> | undefined
  /** Empty: the servers of the system. */
  readonly dnsServers: ReadonlyArray<string>
  /** Files with changes to the lists of disposable and personal domains. */
  readonly domainFiles: { readonly disposable: string | undefined; readonly personal: string | undefined }
  /** `undefined`: the origin of the public URL. */
  readonly dashboardOrigins: ReadonlyArray<string> | undefined
  /** `undefined`: no listener for bounces. 0 selects a free port. */
  readonly bounceSmtpPort: number | undefined
  /** `undefined`: no submission by SMTP. */
  readonly submission: SubmissionServer.Options | undefined
  /** Names and networks that outbound requests may reach in addition to public addresses. */
  readonly outboundAllow: Allowed | undefined
  /** `undefined`: uploads are files in the data folder. */
  readonly bucket: Bucket | undefined
  /** `undefined`: no billing. */
  readonly payments: StripeAccount | undefined
  readonly settings: Omit<Settings, "dashboardOrigins" | "outboundAllowed" | "publicUrl">
  /** The providers that people can sign in with. */
  readonly identity: Clients
  readonly trustedProxies: TrustedProxies
  readonly metricsToken: Redacted.Redacted<string> | undefined
  readonly logLevel: LogLevel.LogLevel
  /** `undefined`: pretty on a terminal, otherwise JSON. */
  readonly logFormat: "pretty" | "json" | undefined
  readonly otlpUrl: string | undefined
}

/** The start fails with it. The message is the first problem, in one sentence. */
export class InvalidConfig extends Data.TaggedError("InvalidConfig")<{
  readonly problems: Array.NonEmptyReadonlyArray<InvalidSetting>
}> {
  override readonly [Runtime.errorExitCode] = 2
  override get message() {
    return this.problems[0].message
  }
}

const logLevels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const satisfies Record<string, LogLevel.LogLevel>

const defaultConnections = 16
const defaultReadMaxAge = 10

const megabyte = 1024 * 1024

const missing = (variable: string, sentence: string) =>
  new InvalidSetting({ variable, message: `${variable} ${sentence}` })

/** The message of the SMTP URL with the variable's name as its subject: `POSTHORN_SMTP_URL has pool=300, ...`. */
const aboutSmtp = ({ message }: SmtpUrl.InvalidSmtpUrl) =>
  new InvalidSetting({
    variable: variables.smtpUrl.name,
    message: message.replace(/^(?:The )?SMTP URL\b(?: (\d+))?/, (_name: string, entry?: string) =>
      entry === undefined ? variables.smtpUrl.name : `${variables.smtpUrl.name}, entry ${entry},`
    )
  })

/** The value of POSTHORN_DISABLE_SIGNUPS. A server is open until its first account exists; dev mode always has one. */
const signupsOf = (disabled: "auto" | "false" | "true", mode: RunMode): Settings["signups"] => {
  if (disabled === "auto") return mode === "dev" ? "open" : "first"
  return disabled === "true" ? "invited" : "open"
}

/** Whether other machines cannot reach the address. */
const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127\.[\d.]+$/.test(host)

/** Reads every variable before it fails, so that a caller can report all problems at once. */
export const read = Effect.fn("Config.read")(function* (mode: RunMode, options: Options = {}) {
  const problems: Array<InvalidSetting> = []
  const noted = <A>(effect: Effect.Effect<A, InvalidSetting>) =>
    Effect.catch(effect, (problem) =>
      Effect.as(
        Effect.sync(() => problems.push(problem)),
        undefined
      )
    )
  const get = <A>(variable: Variable<A>) => noted(Effect.map(readVariable(variable), Option.getOrUndefined))

  const hasProblem = (name: string) => problems.some(({ variable }) => variable === name)
  /** Both variables, or neither. */
  const oneNeedsTheOther = (set: { readonly name: string }, unset: { readonly name: string }) => {
    if (hasProblem(unset.name)) return
    problems.push(missing(unset.name, `is not set, but ${set.name} is; one needs the other.`))
  }
  const client = Effect.fnUntraced(function* (idOf: Variable<string>, secretOf: Variable<Redacted.Redacted<string>>) {
    const id = yield* get(idOf)
    const secret = yield* get(secretOf)
    if (id !== undefined && secret !== undefined) return { id, secret }
    if (id !== undefined) oneNeedsTheOther(idOf, secretOf)
    if (secret !== undefined) oneNeedsTheOther(secretOf, idOf)
  })

  /** The issuer and the client need each other. */
  const oidcClient = Effect.gen(function* () {
    const issuer = yield* get(variables.oidcIssuer)
    const known = yield* client(variables.oidcClientId, variables.oidcClientSecret)
    const label = (yield* get(variables.oidcName)) ?? "OpenID Connect"
    if (issuer !== undefined && known !== undefined) return { ...known, issuer, label }
    if (issuer !== undefined) oneNeedsTheOther(variables.oidcIssuer, variables.oidcClientId)
    if (known !== undefined) oneNeedsTheOther(variables.oidcClientId, variables.oidcIssuer)
  })

  const role = options.role ?? (yield* get(variables.role)) ?? "all"
  const port = options.port ?? (yield* get(variables.port))
  // The dev mode never uses the database in the environment: it may be a production database.
  const databaseUrl =
    mode === "dev"
      ? options.database === undefined
        ? undefined
        : yield* noted(parse({ ...variables.databaseUrl, name: "--database" }, options.database))
      : yield* get(variables.databaseUrl)
  const databaseDirectUrl = mode === "dev" ? undefined : yield* get(variables.databaseDirectUrl)
  const databaseReadUrl = mode === "dev" ? undefined : yield* get(variables.databaseReadUrl)
  const natsUrl = mode === "dev" ? undefined : yield* get(variables.natsUrl)
  const natsSubject = (yield* get(variables.natsSubject)) ?? "posthorn"
  const databaseReadMaxAge = (yield* get(variables.databaseReadMaxAge)) ?? defaultReadMaxAge
  if (databaseUrl === undefined && databaseDirectUrl !== undefined) {
    oneNeedsTheOther(variables.databaseDirectUrl, variables.databaseUrl)
  } else if (databaseUrl === undefined && databaseReadUrl !== undefined) {
    oneNeedsTheOther(variables.databaseReadUrl, variables.databaseUrl)
  }
  const secret = yield* get(variables.secret)
  const smtpUrl = yield* get(variables.smtpUrl)
  const transports = smtpUrl && (yield* noted(Effect.mapError(SmtpUrl.parse(smtpUrl), aboutSmtp)))
  const evidenceSeconds = yield* get(variables.evidenceWaitSeconds)
  const evidenceWait = evidenceSeconds === undefined ? undefined : Duration.seconds(evidenceSeconds)
  const megabytes = (variable: Variable<number>) =>
    Effect.map(get(variable), (count) => (count === undefined ? undefined : count * megabyte))

  const allOrNone = <A extends object>(
    values: { readonly [Name in keyof A]: A[Name] | undefined },
    names: Missing<A>
  ) => {
    const { missing, value } = together<A>(values, names)
    const unnoted = missing.filter(({ variable }) => !problems.some((problem) => problem.variable === variable))
    problems.push(...unnoted)
    return value
  }
  const payments = allOrNone<Omit<StripeAccount, "api">>(
    {
      secretKey: yield* get(variables.stripeSecretKey),
      webhookSecret: yield* get(variables.stripeWebhookSecret),
      price: yield* get(variables.stripePrice)
    },
    {
      secretKey: variables.stripeSecretKey,
      webhookSecret: variables.stripeWebhookSecret,
      price: variables.stripePrice
    }
  )
  const bucket = allOrNone<Omit<Bucket, "publicUrl">>(
    {
      endpoint: yield* get(variables.s3Endpoint),
      bucket: yield* get(variables.s3Bucket),
      accessKey: yield* get(variables.s3AccessKey),
      secretKey: yield* get(variables.s3SecretKey)
    },
    {
      endpoint: variables.s3Endpoint,
      bucket: variables.s3Bucket,
      accessKey: variables.s3AccessKey,
      secretKey: variables.s3SecretKey
    }
  )
  const bucketUrl = yield* get(variables.s3PublicUrl)
  const host = options.host ?? (yield* get(variables.host)) ?? "127.0.0.1"
  const trustedProxies = (yield* get(variables.trustProxy)) ?? noProxies

  /** Without a certificate, passwords would be sent in clear text. */
  const submissionOf = Effect.gen(function* () {
    const { submissionCert, submissionKey, submissionPort, submissionProxy, submissionsPort, trustProxy } = variables
    const ports = { starttls: (yield* get(submissionPort)) ?? null, tls: (yield* get(submissionsPort)) ?? null }
    const cert = yield* get(submissionCert)
    const key = yield* get(submissionKey)
    const isProxied = (yield* get(submissionProxy)) === "true"
    const maxClients = (yield* get(variables.submissionMaxClients)) ?? 500
    if (cert !== undefined && key === undefined) oneNeedsTheOther(submissionCert, submissionKey)
    if (key !== undefined && cert === undefined) oneNeedsTheOther(submissionKey, submissionCert)
    const isOpen = ports.tls !== null || (ports.starttls !== null && !isLoopback(host))
    if (isOpen && cert === undefined && key === undefined) {
      const port = ports.tls === null ? submissionPort.name : submissionsPort.name
      const sentence = `is not set, but ${port} is; it must be ${submissionCert.mayBe}.`
      problems.push(missing(submissionCert.name, sentence))
    }
    if (isProxied && "hops" in trustedProxies && trustedProxies.hops === 0 && !hasProblem(trustProxy.name)) {
      oneNeedsTheOther(submissionProxy, trustProxy)
    }
    if (role === "worker" || (ports.starttls === null && ports.tls === null)) return undefined
    const certificate = cert === undefined || key === undefined ? undefined : { cert, key }
    return { host, ports, certificate, maxClients, proxies: isProxied ? trustedProxies : undefined }
  })

  const config: Config = {
    mode,
    role,
    host,
    port: port ?? 3000,
    orNext: mode === "dev" && port === undefined,
    smtpPort: options.smtpPort,
    open: options.open ?? false,
    listens: role !== "worker" || port !== undefined,
    publicUrl: yield* get(variables.publicUrl),
    databaseUrl,
    databaseDirectUrl,
    databaseRead: databaseReadUrl && { url: databaseReadUrl, maxAge: Duration.seconds(databaseReadMaxAge) },
    redisUrl: mode === "dev" ? undefined : yield* get(variables.redisUrl),
    nats: natsUrl && { url: natsUrl, subject: natsSubject },
    databaseConnections: (yield* get(variables.databaseConnections)) ?? defaultConnections,
    dataDir: options.dataDir ?? (yield* get(variables.dataDir)) ?? "./.posthorn",
    secret,
    secretPrevious: (yield* get(variables.secretPrevious)) ?? [],
    transports,
    dnsServers: (yield* get(variables.dnsServers)) ?? [],
    domainFiles: {
      disposable: yield* get(variables.disposableDomainsFile),
      personal: yield* get(variables.personalDomainsFile)
    },
    dashboardOrigins: yield* get(variables.dashboardOrigins),
    bounceSmtpPort: yield* get(variables.bounceSmtpPort),
    submission: yield* submissionOf,
    outboundAllow: yield* get(variables.outboundAllow),
    bucket: bucket && { ...bucket, publicUrl: bucketUrl },
    payments,
    settings: {
      rateLimitPerMinute: (yield* get(variables.rateLimit)) ?? defaults.rateLimitPerMinute,
      submissionRatePerMinute: (yield* get(variables.submissionRate)) ?? defaults.submissionRatePerMinute,
      sendRatePerSecond: (yield* get(variables.sendRate)) ?? defaults.sendRatePerSecond,
      deliveriesKept: Duration.days(
        (yield* get(variables.retainDeliveriesDays)) ?? Duration.toDays(defaults.deliveriesKept)
      ),
      idempotencyLifetime: Duration.hours(
        (yield* get(variables.idempotencyHours)) ?? Duration.toHours(defaults.idempotencyLifetime)
      ),
      maxAttachments: (yield* get(variables.maxAttachments)) ?? defaults.maxAttachments,
      maxAttachmentBytes: (yield* megabytes(variables.maxAttachmentMb)) ?? defaults.maxAttachmentBytes,
      maxMessageBytes: (yield* megabytes(variables.maxMessageMb)) ?? defaults.maxMessageBytes,
      optInMailsPerHour: (yield* get(variables.optInMailsPerHour)) ?? defaults.optInMailsPerHour,
      maxScheduledEmails: (yield* get(variables.maxScheduledEmails)) ?? defaults.maxScheduledEmails,
      evidenceWait: evidenceWait ? { transactional: evidenceWait, bulk: evidenceWait } : defaults.evidenceWait,
      // In dev mode no mail leaves, so the domains of recipients are not looked up.
      providerLookup: ((yield* get(variables.providerLookup)) ?? String(mode !== "dev")) === "true",
      bounceDomain: yield* get(variables.bounceDomain),
      sendingIps: (yield* get(variables.sendingIps)) ?? defaults.sendingIps,
      linkHost: yield* get(variables.linkHost),
      returnPathLabel: (yield* get(variables.returnPathLabel)) ?? defaults.returnPathLabel,
      notificationSecret: yield* get(variables.notificationSecret),
      snsTopics: (yield* get(variables.snsTopics)) ?? defaults.snsTopics,
      listensForMail: (yield* get(variables.bounceSmtpPort)) !== undefined,
      freeEmails: (yield* get(variables.freeEmails)) ?? defaults.freeEmails,
      autoSuspend: (yield* get(variables.autoSuspend)) !== "false",
      retainEmailsDays: (yield* get(variables.retainEmailsDays)) ?? defaults.retainEmailsDays,
      retainTestEmailsDays: (yield* get(variables.retainTestEmailsDays)) ?? defaults.retainTestEmailsDays,
      retainBodiesDays: (yield* get(variables.retainBodiesDays)) ?? defaults.retainBodiesDays,
      retainEventsDays: (yield* get(variables.retainEventsDays)) ?? defaults.retainEventsDays,
      retainContextDays: (yield* get(variables.retainContextDays)) ?? defaults.retainContextDays,
      securityContacts: (yield* get(variables.securityContact)) ?? defaults.securityContacts,
      platformFrom: yield* get(variables.platformFrom),
      signups: signupsOf((yield* get(variables.disableSignups)) ?? "auto", mode),
      emailVerificationRequired: (yield* get(variables.requireEmailVerification)) === "true",
      hasConsole: (yield* get(variables.console)) !== "off",
      devMode: mode === "dev",
      version
    },
    identity: {
      github: yield* client(variables.githubClientId, variables.githubClientSecret),
      google: yield* client(variables.googleClientId, variables.googleClientSecret),
      oidc: yield* oidcClient
    },
    trustedProxies,
    metricsToken: yield* get(variables.metricsToken),
    logLevel: logLevels[(yield* get(variables.logLevel)) ?? "info"],
    logFormat: yield* get(variables.logFormat),
    otlpUrl: yield* get(variables.otlpUrl)
  }

  if (mode !== "dev" && databaseUrl && !secret && !hasProblem(variables.secret.name)) {
    problems.push(
      missing(variables.secret.name, "is not set; with POSTHORN_DATABASE_URL it is required, with at least 32 bytes.")
    )
  }
  if (mode === "serve" && role !== "api" && !smtpUrl && !hasProblem(variables.smtpUrl.name)) {
    problems.push(
      missing(variables.smtpUrl.name, "is not set; it must be a URL such as smtp://user:password@mail.example.com:587.")
    )
  }
  if (mode === "serve" && databaseUrl === undefined && role !== "all" && !hasProblem(variables.databaseUrl.name)) {
    problems.push(
      missing(
        variables.role.name,
        `is "${role}", which needs POSTHORN_DATABASE_URL; only one process can use the embedded database, with role all.`
      )
    )
  }
  if (Array.isReadonlyArrayNonEmpty(problems)) return yield* new InvalidConfig({ problems })
  return config
})
