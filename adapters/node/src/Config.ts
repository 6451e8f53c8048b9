/** What an operator has set, read once at the start (doors 2). */
import type { Allowed } from "@posthorn/core/outbound/PublicAddress"
import { defaults, type Settings } from "@posthorn/core/Settings"
import { SmtpUrl } from "@posthorn/mailer-smtp"
import { Array, Data, Duration, Effect, type LogLevel, Option, type Redacted, Runtime } from "effect"
import { InvalidSetting, read as readVariable, type Variable } from "./config/Variable.ts"
import { variables } from "./config/Variables.ts"
import { noProxies, type TrustedProxies } from "./http/ClientAddress.ts"
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
  readonly settings: Omit<Settings, "dashboardOrigins" | "publicUrl">
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
    settings: {
      rateLimitPerMinute: (yield* get(variables.rateLimit)) ?? defaults.rateLimitPerMinute,
      sendRatePerSecond: (yield* get(variables.sendRate)) ?? defaults.sendRatePerSecond,
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
      autoSuspend: (yield* get(variables.autoSuspend)) !== "false",
      platformFrom: yield* get(variables.platformFrom),
      signupsDisabled: (yield* get(variables.disableSignups)) === "true",
      emailVerificationRequired: (yield* get(variables.requireEmailVerification)) === "true",
      devMode: mode === "dev",
      version
    },
    trustedProxies: (yield* get(variables.trustProxy)) ?? noProxies,
    metricsToken: yield* get(variables.metricsToken),
    logLevel: logLevels[(yield* get(variables.logLevel)) ?? "info"],
    logFormat: yield* get(variables.logFormat),
    otlpUrl: yield* get(variables.otlpUrl)
  }

  const hasProblem = (name: string) => problems.some(({ variable }) => variable === name)
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
