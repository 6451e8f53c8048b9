/** What an operator has set, read once at the start (doors 2). */
import type { Allowed } from "@posthorn/core/outbound/PublicAddress"
import { defaults, type Settings } from "@posthorn/core/Settings"
import { SmtpUrl } from "@posthorn/mailer-smtp"
import { Array, Data, Duration, Effect, type LogLevel, Option, type Redacted, Runtime } from "effect"
import { type Missing, together } from "./config/Together.ts"
import { InvalidSetting, read as readVariable, type Variable } from "./config/Variable.ts"
import { variables } from "./config/Variables.ts"
import { noProxies, type TrustedProxies } from "./http/ClientAddress.ts"
import type { Clients } from "./identity/Identity.ts"
import type { StripeAccount } from "./payments/StripePayments.ts"
import type { Bucket } from "./storage/S3Storage.ts"
import { version } from "./Version.ts"

/**
 * - `serve`: the service.
 * - `dev`: nothing needs to be set, and the development pages are there.
 * - `operate`: one command on the database; no mail is sent and no port is listened on.
 */
export type Mode = "dev" | "operate" | "serve"

/** What a process does: answer requests, deliver and run jobs, or both. */
export type Role = "all" | "api" | "worker"

/** What a command line may set; it wins over the environment. */
export interface Options {
  readonly host?: string | undefined
  /** 0 takes a free one. */
  readonly port?: number | undefined
  readonly dataDir?: string | undefined
  readonly role?: Role | undefined
}

export interface Config {
  readonly mode: Mode
  readonly role: Role
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** A worker does only if somebody gave it a port, so that many of them fit on one machine. */
  readonly listens: boolean
  /** Nothing: the address that the server listens on. */
  readonly publicUrl: string | undefined
  /** Nothing: the embedded database, in the data folder. */
  readonly databaseUrl: Redacted.Redacted<string> | undefined
  readonly dataDir: string
  /** Nothing: the one that is kept in the data folder. */
  readonly secret: Redacted.Redacted<string> | undefined
  readonly secretPrevious: Option.Option<Redacted.Redacted<string>>
  /** In order of failover. Nothing: the mailbox in dev mode; a role that sends no mail. */
  readonly transports: Array.NonEmptyReadonlyArray<SmtpUrl.Transport> | undefined
  /** Empty: those of the system. */
  readonly dnsServers: ReadonlyArray<string>
  /** Changes to the lists of domains that the verification of addresses knows. */
  readonly domainFiles: { readonly disposable: string | undefined; readonly personal: string | undefined }
  /** Nothing: the origin of the public URL. */
  readonly dashboardOrigins: ReadonlyArray<string> | undefined
  /** Nothing: no listener for bounces. 0 takes a free one. */
  readonly bounceSmtpPort: number | undefined
  /** What requests to addresses of others may reach besides public ones. */
  readonly outboundAllow: Allowed | undefined
  /** Nothing: uploads are files in the data folder. */
  readonly bucket: Bucket | undefined
  /** Nothing: nothing is sold. */
  readonly payments: StripeAccount | undefined
  readonly settings: Omit<Settings, "dashboardOrigins" | "outboundAllowed" | "publicUrl">
  /** Where people may sign in with an account of theirs at another place. */
  readonly identity: Clients
  readonly trustedProxies: TrustedProxies
  readonly metricsToken: Redacted.Redacted<string> | undefined
  readonly logLevel: LogLevel.LogLevel
  /** Nothing: pretty on a terminal, else JSON. */
  readonly logFormat: "pretty" | "json" | undefined
  readonly otlpUrl: string | undefined
}

/** The start stops here; the message is the first problem, one sentence. */
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

const megabyte = 1024 * 1024

const missing = (variable: string, sentence: string) =>
  new InvalidSetting({ variable, message: `${variable} ${sentence}` })

/** `The SMTP URL has pool=300, it may be 1 to 200.` with the variable's name as its subject. */
const aboutSmtp = ({ message }: SmtpUrl.InvalidSmtpUrl) =>
  new InvalidSetting({
    variable: variables.smtpUrl.name,
    message: message.replace(/^(?:The )?SMTP URL\b(?: (\d+))?/, (_name: string, entry?: string) =>
      entry === undefined ? variables.smtpUrl.name : `${variables.smtpUrl.name}, entry ${entry},`
    )
  })

/** Reads everything before it fails, so that whoever wants to can tell all problems at once. */
export const read = Effect.fn("Config.read")(function* (mode: Mode, options: Options = {}) {
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
  /** Both, or neither. */
  const client = Effect.fnUntraced(function* (idOf: Variable<string>, secretOf: Variable<Redacted.Redacted<string>>) {
    const id = yield* get(idOf)
    const secret = yield* get(secretOf)
    if (id !== undefined && secret !== undefined) return { id, secret }
    const [set, unset] = id === undefined ? [secretOf, idOf] : [idOf, secretOf]
    if ((id !== undefined || secret !== undefined) && !hasProblem(unset.name)) {
      problems.push(missing(unset.name, `is not set, but ${set.name} is; one needs the other.`))
    }
  })

  const role = options.role ?? (yield* get(variables.role)) ?? "all"
  const port = options.port ?? (yield* get(variables.port))
  const databaseUrl = yield* get(variables.databaseUrl)
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

  const config: Config = {
    mode,
    role,
    host: options.host ?? (yield* get(variables.host)) ?? "127.0.0.1",
    port: port ?? 3000,
    listens: role !== "worker" || port !== undefined,
    publicUrl: yield* get(variables.publicUrl),
    databaseUrl,
    dataDir: options.dataDir ?? (yield* get(variables.dataDir)) ?? "./.posthorn",
    secret,
    secretPrevious: Option.fromUndefinedOr(yield* get(variables.secretPrevious)),
    transports,
    dnsServers: (yield* get(variables.dnsServers)) ?? [],
    domainFiles: {
      disposable: yield* get(variables.disposableDomainsFile),
      personal: yield* get(variables.personalDomainsFile)
    },
    dashboardOrigins: yield* get(variables.dashboardOrigins),
    bounceSmtpPort: yield* get(variables.bounceSmtpPort),
    outboundAllow: yield* get(variables.outboundAllow),
    bucket: bucket && { ...bucket, publicUrl: bucketUrl },
    payments,
    settings: {
      rateLimitPerMinute: (yield* get(variables.rateLimit)) ?? defaults.rateLimitPerMinute,
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
      evidenceWait: evidenceWait ? { transactional: evidenceWait, bulk: evidenceWait } : defaults.evidenceWait,
      bounceDomain: yield* get(variables.bounceDomain),
      returnPathLabel: (yield* get(variables.returnPathLabel)) ?? defaults.returnPathLabel,
      notificationSecret: yield* get(variables.notificationSecret),
      snsTopics: (yield* get(variables.snsTopics)) ?? defaults.snsTopics,
      listensForMail: (yield* get(variables.bounceSmtpPort)) !== undefined,
      freeEmails: (yield* get(variables.freeEmails)) ?? defaults.freeEmails,
      autoSuspend: (yield* get(variables.autoSuspend)) !== "false",
      retainEmailsDays: (yield* get(variables.retainEmailsDays)) ?? defaults.retainEmailsDays,
      retainBodiesDays: (yield* get(variables.retainBodiesDays)) ?? defaults.retainBodiesDays,
      retainEventsDays: (yield* get(variables.retainEventsDays)) ?? defaults.retainEventsDays,
      retainContextDays: (yield* get(variables.retainContextDays)) ?? defaults.retainContextDays,
      platformFrom: yield* get(variables.platformFrom),
      signupsDisabled: (yield* get(variables.disableSignups)) === "true",
      emailVerificationRequired: (yield* get(variables.requireEmailVerification)) === "true",
      devMode: mode === "dev",
      version
    },
    identity: {
      github: yield* client(variables.githubClientId, variables.githubClientSecret),
      google: yield* client(variables.googleClientId, variables.googleClientSecret)
    },
    trustedProxies: (yield* get(variables.trustProxy)) ?? noProxies,
    metricsToken: yield* get(variables.metricsToken),
    logLevel: logLevels[(yield* get(variables.logLevel)) ?? "info"],
    logFormat: yield* get(variables.logFormat),
    otlpUrl: yield* get(variables.otlpUrl)
  }

  if (mode !== "dev" && databaseUrl && !secret && !hasProblem(variables.secret.name)) {
    problems.push(
      missing(variables.secret.name, "is not set; with POSTHORN_DATABASE_URL it must be a text of at least 32 bytes.")
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
        `is "${role}", which needs POSTHORN_DATABASE_URL; the embedded database has room for one process, role all.`
      )
    )
  }
  if (Array.isReadonlyArrayNonEmpty(problems)) return yield* new InvalidConfig({ problems })
  return config
})
