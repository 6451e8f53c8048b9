/**
 * Every variable that begins with POSTHORN_: the variables of this host, those of other programs of this repository,
 * and those reserved for features that this version does not have.
 */
import { isIP } from "node:net"
import { parseAllowed } from "@posthorn/core/platform/outbound/PublicAddress"
import { contactOf } from "@posthorn/core/service/SecurityText"
import { Option, Redacted, Result, Schema } from "effect"
import { Base64 } from "effect/encoding"
import { parseTrustedProxies } from "../http/ClientAddress.ts"
import { databaseUrl, dnsServer, issuer, natsUrl, redisUrl, webOrigin, webUrl } from "./Addresses.ts"
import { nearestName } from "./NearestName.ts"
import { listOf, matching, oneOf, secretVariable, type Variable, variable, wholeNumber } from "./Variable.ts"

const secretOf = (text: string) => Result.succeed(Redacted.make(text))

const textsOfJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.NonEmptyArray(Schema.String)))

const atLeast32Bytes = (text: string) => {
  const bytes = new TextEncoder().encode(text).length
  return bytes >= 32 ? secretOf(text) : Result.fail(`has ${bytes} bytes`)
}

const mostPrevious = 20

/** Comma separated. Use a JSON array of strings if a secret contains a comma. */
const previousSecrets = (text: string): Result.Result<ReadonlyArray<Redacted.Redacted<string>>, string> => {
  const listed = Option.getOrElse(textsOfJson(text), () => text.split(",").map((part) => part.trim()))
  if (listed.length > mostPrevious) return Result.fail(`has ${listed.length} secrets, more than ${mostPrevious}`)
  const secrets: Array<Redacted.Redacted<string>> = []
  for (const [index, each] of listed.entries()) {
    const secret = atLeast32Bytes(each)
    if (Result.isFailure(secret)) {
      return Result.fail(listed.length === 1 ? secret.failure : `${secret.failure} in entry ${index + 1}`)
    }
    secrets.push(secret.success)
  }
  return Result.succeed(secrets)
}

/** `whsec_` and base64 of at least 24 bytes, or plain text of at least 24 characters. */
const notificationSecret = (text: string) => {
  if (text.startsWith("whsec_")) {
    const bytes = Base64.decode(text.slice("whsec_".length))
    if (Result.isFailure(bytes)) return Result.fail("begins with whsec_, but the rest is not base64")
    return bytes.success.length >= 24 ? secretOf(text) : Result.fail(`has ${bytes.success.length} bytes after whsec_`)
  }
  return text.length >= 24 ? secretOf(text) : Result.fail(`has ${text.length} characters`)
}

/** A secret of Stripe shows its kind by its prefix. */
const prefixed =
  (...prefixes: ReadonlyArray<string>) =>
  (text: string) =>
    prefixes.some((prefix) => text.startsWith(prefix)) && /^\w{12,}$/.test(text)
      ? secretOf(text)
      : Result.fail(`does not begin with ${prefixes.join(" or ")}, or has characters other than letters, digits and _`)

const hostName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i

const visible = /^[\x21-\x7e]+$/
const visibleMayBe = "any visible ASCII without blanks"
const visibleSecret = (text: string) =>
  visible.test(text) ? secretOf(text) : Result.fail("has blanks or other characters")

const hasLogin = (text: string) => /^(?:[^/]*\/\/)?[^/]*@/.test(text)

/** Refuses a URL with a login and does not show it. */
const withoutLogin = <A>(
  { name, mayBe, parse }: Variable<A>,
  urlsOf: (text: string) => ReadonlyArray<string> = (text) => [text]
): Variable<A> => ({
  name,
  mayBe,
  parse: (text) => (urlsOf(text).some(hasLogin) ? Result.fail("has a login") : parse(text))
})

const webVariable = (name: string, example: string): Variable<string> =>
  withoutLogin(variable(name, `an http or https URL without login, query and fragment, such as ${example}`, webUrl))

const clientIdMayBe = "the client id from the provider, in visible ASCII"

const databaseVariable = (name: string) =>
  secretVariable(name, "a URL such as postgres://user:password@host:5432/name", (text) =>
    Result.map(databaseUrl(text), (url) => Redacted.make(url))
  )

export const variables = {
  host: matching("POSTHORN_HOST", "an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0", /^[\w.:-]+$/),
  port: wholeNumber("POSTHORN_PORT", 0, 65535, " (0 selects a free port)"),
  publicUrl: webVariable("POSTHORN_PUBLIC_URL", "https://mail.example.com"),
  databaseUrl: databaseVariable("POSTHORN_DATABASE_URL"),
  databaseDirectUrl: databaseVariable("POSTHORN_DATABASE_DIRECT_URL"),
  databaseReadUrl: databaseVariable("POSTHORN_DATABASE_READ_URL"),
  databaseReadMaxAge: wholeNumber("POSTHORN_DATABASE_READ_MAX_AGE_SECONDS", 0, 86_400),
  databaseConnections: wholeNumber("POSTHORN_DATABASE_CONNECTIONS", 2, 1000),
  redisUrl: secretVariable("POSTHORN_REDIS_URL", "a URL such as redis://user:password@host:6379/0", redisUrl),
  natsUrl: secretVariable("POSTHORN_NATS_URL", "a URL such as nats://user:password@host:4222", natsUrl),
  natsSubject: matching(
    "POSTHORN_NATS_SUBJECT",
    "at most 100 letters, digits, - and _, such as posthorn-staging",
    /^[\w-]{1,100}$/
  ),
  dataDir: variable("POSTHORN_DATA_DIR", "a folder", (text) => text),
  secret: secretVariable("POSTHORN_SECRET", "any text of at least 32 bytes", atLeast32Bytes),
  secretPrevious: secretVariable(
    "POSTHORN_SECRET_PREVIOUS",
    "each POSTHORN_SECRET used before, newest first: a comma separated list, or a JSON array of texts, of at least 32 bytes each",
    previousSecrets
  ),
  smtpUrl: secretVariable("POSTHORN_SMTP_URL", "a URL such as smtp://user:password@mail.example.com:587", secretOf),
  role: oneOf("POSTHORN_ROLE", "all", "api", "worker"),
  dnsServers: listOf(
    "POSTHORN_DNS_SERVERS",
    "a comma separated list of addresses with or without port, such as 192.0.2.53:53",
    dnsServer
  ),
  disposableDomainsFile: variable(
    "POSTHORN_DISPOSABLE_DOMAINS_FILE",
    "a file with a domain on each line",
    (text) => text
  ),
  personalDomainsFile: variable("POSTHORN_PERSONAL_DOMAINS_FILE", "a file with a domain on each line", (text) => text),
  rateLimit: wholeNumber("POSTHORN_RATE_LIMIT_PER_MINUTE", 0, 1_000_000, " (0 means no limit)"),
  sendRate: wholeNumber("POSTHORN_SEND_RATE_PER_SECOND", 0, 100_000, " (0 means no limit)"),
  idempotencyHours: wholeNumber("POSTHORN_IDEMPOTENCY_TTL_HOURS", 1, 720),
  retainDeliveriesDays: wholeNumber("POSTHORN_RETAIN_DELIVERIES_DAYS", 1, 3_650),
  retainEmailsDays: wholeNumber("POSTHORN_RETAIN_EMAILS_DAYS", 0, 36_500, " (0 keeps them for ever)"),
  retainTestEmailsDays: wholeNumber("POSTHORN_RETAIN_TEST_EMAILS_DAYS", 0, 36_500, " (0 keeps them for ever)"),
  retainBodiesDays: wholeNumber("POSTHORN_RETAIN_BODIES_DAYS", 0, 36_500, " (0 keeps them for ever)"),
  retainEventsDays: wholeNumber("POSTHORN_RETAIN_EVENTS_DAYS", 0, 36_500, " (0 keeps them for ever)"),
  retainContextDays: wholeNumber("POSTHORN_RETAIN_CONTEXT_DAYS", 0, 36_500, " (0 keeps it for ever)"),
  maxAttachments: wholeNumber("POSTHORN_MAX_ATTACHMENTS", 0, 100),
  maxAttachmentMb: wholeNumber("POSTHORN_MAX_ATTACHMENT_MB", 0, 40),
  maxMessageMb: wholeNumber("POSTHORN_MAX_MESSAGE_MB", 1, 100),
  optInMailsPerHour: wholeNumber("POSTHORN_OPT_IN_MAILS_PER_HOUR", 0, 10_000_000, " (0 means no limit)"),
  maxScheduledEmails: wholeNumber("POSTHORN_MAX_SCHEDULED_EMAILS", 0, 100_000_000, " (0 means no limit)"),
  evidenceWaitSeconds: wholeNumber("POSTHORN_EVIDENCE_WAIT_SECONDS", 0, 86_400),
  bounceDomain: matching("POSTHORN_BOUNCE_DOMAIN", "a host name, such as bounce.example.com", hostName),
  sendingIps: listOf(
    "POSTHORN_SENDING_IPS",
    "a comma separated list of IP addresses, such as 203.0.113.7, 2001:db8::7",
    (text) => (isIP(text) === 0 ? undefined : text)
  ),
  linkHost: matching("POSTHORN_LINK_HOST", "a host name, such as links.example.com", hostName),
  returnPathLabel: matching(
    "POSTHORN_RETURN_PATH_LABEL",
    "one label of a host name, such as bounce",
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
  ),
  bounceSmtpPort: wholeNumber("POSTHORN_BOUNCE_SMTP_PORT", 0, 65535, " (0 selects a free port)"),
  submissionPort: wholeNumber("POSTHORN_SUBMISSION_PORT", 0, 65535, " (0 selects a free port)"),
  submissionsPort: wholeNumber("POSTHORN_SUBMISSIONS_PORT", 0, 65535, " (0 selects a free port)"),
  submissionCert: variable(
    "POSTHORN_SUBMISSION_TLS_CERT",
    "a PEM file with the certificate and its chain",
    (text) => text
  ),
  submissionKey: variable("POSTHORN_SUBMISSION_TLS_KEY", "a PEM file with the private key", (text) => text),
  submissionRate: wholeNumber("POSTHORN_SUBMISSION_RATE_PER_MINUTE", 0, 1_000_000, " (0 means no limit)"),
  submissionMaxClients: wholeNumber("POSTHORN_SUBMISSION_MAX_CLIENTS", 1, 100_000),
  submissionProxy: oneOf("POSTHORN_SUBMISSION_PROXY", "true", "false"),
  notificationSecret: secretVariable(
    "POSTHORN_NOTIFICATION_SECRET",
    "whsec_ and base64 of at least 24 bytes, or any text of at least 24 characters",
    notificationSecret
  ),
  snsTopics: listOf(
    "POSTHORN_SNS_TOPICS",
    "a comma separated list of topics, such as arn:aws:sns:eu-west-1:123456789012:mail",
    (text) => (/^arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/.test(text) ? text : undefined)
  ),
  stripeSecretKey: secretVariable(
    "POSTHORN_STRIPE_SECRET_KEY",
    "a secret or restricted key of Stripe, which begins with sk_ or rk_",
    prefixed("sk_", "rk_")
  ),
  stripeWebhookSecret: secretVariable(
    "POSTHORN_STRIPE_WEBHOOK_SECRET",
    "the signing secret of the endpoint at Stripe, which begins with whsec_",
    prefixed("whsec_")
  ),
  stripePrice: matching(
    "POSTHORN_STRIPE_PRICE",
    "the id of a price at Stripe, which begins with price_",
    /^price_\w+$/
  ),
  freeEmails: wholeNumber("POSTHORN_BILLING_FREE_EMAILS", 0, 1_000_000_000),
  s3Endpoint: webVariable("POSTHORN_S3_ENDPOINT", "https://s3.eu-west-1.amazonaws.com"),
  s3Bucket: matching("POSTHORN_S3_BUCKET", "the name of a bucket", /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  s3AccessKey: matching("POSTHORN_S3_ACCESS_KEY", "the id of an access key", /^[\w.-]{3,128}$/),
  s3SecretKey: secretVariable("POSTHORN_S3_SECRET_KEY", "the secret of that access key", (text) =>
    /^[\x21-\x7e]{8,}$/.test(text)
      ? secretOf(text)
      : Result.fail("has less than 8 characters, or characters that are not ASCII")
  ),
  s3PublicUrl: webVariable("POSTHORN_S3_PUBLIC_URL", "https://images.example.com"),
  console: oneOf("POSTHORN_CONSOLE", "on", "off"),
  providerLookup: oneOf("POSTHORN_PROVIDER_LOOKUP", "true", "false"),
  autoSuspend: oneOf("POSTHORN_AUTO_SUSPEND", "true", "false"),
  platformFrom: matching(
    "POSTHORN_PLATFORM_FROM",
    "an address, such as posthorn@example.com",
    /^[^\s@<>,]+@[^\s@<>,]+$/
  ),
  securityContact: listOf(
    "POSTHORN_SECURITY_CONTACT",
    "a comma separated list of addresses and mailto:, https: or tel: URLs, such as security@example.com",
    contactOf
  ),
  outboundAllow: variable(
    "POSTHORN_OUTBOUND_ALLOW",
    "a comma separated list of host names, addresses and CIDR blocks, such as hooks.internal, 10.1.0.0/16",
    (text) => parseAllowed(text.split(",").map((part) => part.trim()))
  ),
  disableSignups: oneOf("POSTHORN_DISABLE_SIGNUPS", "auto", "true", "false"),
  requireEmailVerification: oneOf("POSTHORN_REQUIRE_EMAIL_VERIFICATION", "true", "false"),
  githubClientId: matching("POSTHORN_GITHUB_CLIENT_ID", clientIdMayBe, visible),
  githubClientSecret: secretVariable("POSTHORN_GITHUB_CLIENT_SECRET", visibleMayBe, visibleSecret),
  googleClientId: matching("POSTHORN_GOOGLE_CLIENT_ID", clientIdMayBe, visible),
  googleClientSecret: secretVariable("POSTHORN_GOOGLE_CLIENT_SECRET", visibleMayBe, visibleSecret),
  oidcIssuer: withoutLogin(
    variable(
      "POSTHORN_OIDC_ISSUER",
      "the https URL of an OpenID Connect provider, or an http URL of this machine, such as https://id.example.com/realms/main",
      issuer
    )
  ),
  oidcClientId: matching("POSTHORN_OIDC_CLIENT_ID", clientIdMayBe, visible),
  oidcClientSecret: secretVariable("POSTHORN_OIDC_CLIENT_SECRET", visibleMayBe, visibleSecret),
  oidcName: matching(
    "POSTHORN_OIDC_NAME",
    "a name of 1 to 50 characters on one line, such as Acme ID",
    /^[^\p{Cc}]{1,50}$/u
  ),
  dashboardOrigins: withoutLogin(
    listOf(
      "POSTHORN_DASHBOARD_ORIGINS",
      "a comma separated list of origins, such as https://app.example.com",
      webOrigin
    ),
    (text) => text.split(",")
  ),
  trustProxy: variable(
    "POSTHORN_TRUST_PROXY",
    "false, a number of proxies up to 10, or a comma separated list of addresses and CIDR blocks",
    parseTrustedProxies
  ),
  metricsToken: secretVariable("POSTHORN_METRICS_TOKEN", visibleMayBe, visibleSecret),
  logLevel: oneOf("POSTHORN_LOG_LEVEL", "trace", "debug", "info", "warn", "error", "fatal", "none"),
  logFormat: oneOf("POSTHORN_LOG_FORMAT", "pretty", "json"),
  otlpUrl: webVariable("POSTHORN_OTLP_URL", "http://127.0.0.1:4318")
} as const

/** Read by other programs: the client, the command line and the tests. */
const elsewhere = [
  "POSTHORN_URL",
  "POSTHORN_KEY",
  "POSTHORN_TEST_DATABASE_URL",
  "POSTHORN_TEST_POOLER",
  "POSTHORN_FAIL_AT",
  "POSTHORN_REPLAY"
]

const readHere = Object.values(variables).map(({ name }) => name)
const known = [...readHere, ...elsewhere]

/** One sentence for each variable that is set and has no effect. */
export const idleVariables = (names: Iterable<string>): ReadonlyArray<string> =>
  [...names]
    .filter((name) => name.startsWith("POSTHORN_") && !known.includes(name))
    .sort()
    .map((name) => {
      const hint = Option.match(nearestName(name, known), {
        onNone: () => "",
        onSome: (known) => ` Is ${known} meant?`
      })
      return `${name} is not a variable of Posthorn.${hint}`
    })
