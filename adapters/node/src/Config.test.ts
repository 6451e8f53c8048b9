import { assert, describe, it } from "@effect/vitest"
import { defaults } from "@posthorn/core/platform/Settings"
import { ConfigProvider, Duration, Effect, Redacted, Runtime } from "effect"
import * as Config from "./Config.ts"
import { idle } from "./config/IdleVariables.ts"
import { variables } from "./config/Variables.ts"

type Environment = Record<string, string>

const inside = <A, E>(effect: Effect.Effect<A, E>, env: Environment) =>
  Effect.provideService(effect, ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env))

const secret = "0123456789abcdef0123456789abcdef"
const smtp = { POSTHORN_SMTP_URL: "smtp://user:hunter22@mail.example.com:587" }
const served = {
  ...smtp,
  POSTHORN_DATABASE_URL: "postgres://app:hunter22@db.example.com/mail",
  POSTHORN_SECRET: secret
}

const dev = (env: Environment = {}, options?: Config.Options) => inside(Config.read("dev", options), env)
const serve = (env: Environment = served, options?: Config.Options) => inside(Config.read("serve", options), env)

describe("without any variable", () => {
  it.effect("dev mode is complete", () =>
    Effect.gen(function* () {
      const config = yield* dev()
      assert.include(config, { mode: "dev", role: "all", host: "127.0.0.1", port: 3000, listens: true })
      assert.include(config, { dataDir: "./.posthorn", logLevel: "Info" })
      assert.isUndefined(config.databaseUrl)
      assert.isUndefined(config.publicUrl)
      assert.isUndefined(config.transports)
      const { publicUrl, dashboardOrigins, outboundAllowed, version, ...rest } = defaults
      assert.deepStrictEqual(config.settings, {
        ...rest,
        signups: "open",
        providerLookup: false,
        hasConsole: true,
        devMode: true,
        version: config.settings.version
      })
    })
  )

  it.effect("a server has the embedded database, and lacks an SMTP URL", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(serve({}))
      assert.strictEqual(
        error.message,
        "POSTHORN_SMTP_URL is not set; it must be a URL such as smtp://user:password@mail.example.com:587."
      )
      assert.isUndefined((yield* serve(smtp)).secret)
    })
  )
})

it.effect("every variable sets its option", () =>
  Effect.gen(function* () {
    const config = yield* serve({
      ...served,
      POSTHORN_HOST: "0.0.0.0",
      POSTHORN_PORT: "8080",
      POSTHORN_PUBLIC_URL: "https://Mail.Example.com/",
      POSTHORN_DATABASE_DIRECT_URL: "postgres://app:hunter22@db.example.com:5433/mail",
      POSTHORN_DATABASE_READ_URL: "postgres://app:hunter22@replica.example.com/mail",
      POSTHORN_DATABASE_READ_MAX_AGE_SECONDS: "60",
      POSTHORN_DATABASE_CONNECTIONS: "5",
      POSTHORN_DATA_DIR: "/var/lib/posthorn",
      POSTHORN_SECRET_PREVIOUS: `${secret}2, ${secret}1`,
      POSTHORN_ROLE: "API",
      POSTHORN_DNS_SERVERS: "192.0.2.53, [2001:db8::53]:5353",
      POSTHORN_RATE_LIMIT_PER_MINUTE: "0",
      POSTHORN_SEND_RATE_PER_SECOND: "14",
      POSTHORN_IDEMPOTENCY_TTL_HOURS: "48",
      POSTHORN_RETAIN_DELIVERIES_DAYS: "7",
      POSTHORN_RETAIN_EMAILS_DAYS: "400",
      POSTHORN_RETAIN_TEST_EMAILS_DAYS: "7",
      POSTHORN_RETAIN_BODIES_DAYS: "0",
      POSTHORN_RETAIN_EVENTS_DAYS: "365",
      POSTHORN_RETAIN_CONTEXT_DAYS: "0",
      POSTHORN_MAX_ATTACHMENTS: "3",
      POSTHORN_MAX_ATTACHMENT_MB: "5",
      POSTHORN_MAX_MESSAGE_MB: "20",
      POSTHORN_MAX_SCHEDULED_EMAILS: "5000",
      POSTHORN_OPT_IN_MAILS_PER_HOUR: "50",
      POSTHORN_EVIDENCE_WAIT_SECONDS: "0",
      POSTHORN_BOUNCE_DOMAIN: "bounce.example.com",
      POSTHORN_SENDING_IPS: "203.0.113.7, 2001:db8::7",
      POSTHORN_LINK_HOST: "links.example.com",
      POSTHORN_RETURN_PATH_LABEL: "returns",
      POSTHORN_BOUNCE_SMTP_PORT: "2525",
      POSTHORN_SUBMISSION_PORT: "587",
      POSTHORN_SUBMISSIONS_PORT: "465",
      POSTHORN_SUBMISSION_TLS_CERT: "/etc/posthorn/cert.pem",
      POSTHORN_SUBMISSION_TLS_KEY: "/etc/posthorn/key.pem",
      POSTHORN_SUBMISSION_RATE_PER_MINUTE: "100",
      POSTHORN_SUBMISSION_MAX_CLIENTS: "200",
      POSTHORN_SUBMISSION_PROXY: "true",
      POSTHORN_NOTIFICATION_SECRET: "a secret of 24 characters",
      POSTHORN_REDIS_URL: "rediss://posthorn:hunter24@redis.example.com:6380/2",
      POSTHORN_NATS_URL: "nats://nats.example.com",
      POSTHORN_NATS_SUBJECT: "posthorn-staging",
      POSTHORN_SNS_TOPICS: "arn:aws:sns:eu-west-1:123456789012:mail, arn:aws-cn:sns:cn-north-1:123456789012:b",
      POSTHORN_STRIPE_SECRET_KEY: "sk_test_0123456789",
      POSTHORN_STRIPE_WEBHOOK_SECRET: "whsec_0123456789",
      POSTHORN_STRIPE_PRICE: "price_1",
      POSTHORN_BILLING_FREE_EMAILS: "500",
      POSTHORN_S3_ENDPOINT: "https://s3.example.com/",
      POSTHORN_S3_BUCKET: "images",
      POSTHORN_S3_ACCESS_KEY: "AKID",
      POSTHORN_S3_SECRET_KEY: "hunter22/+",
      POSTHORN_S3_PUBLIC_URL: "https://images.example.com/",
      POSTHORN_PROVIDER_LOOKUP: "false",
      POSTHORN_AUTO_SUSPEND: "false",
      POSTHORN_CONSOLE: "off",
      POSTHORN_DISABLE_SIGNUPS: "true",
      POSTHORN_REQUIRE_EMAIL_VERIFICATION: "true",
      POSTHORN_PLATFORM_FROM: "service@example.com",
      POSTHORN_SECURITY_CONTACT: "security@example.com, https://example.com/security,tel:+49-30-123456",
      POSTHORN_OUTBOUND_ALLOW: "hooks.internal, 10.1.0.0/16",
      POSTHORN_GITHUB_CLIENT_ID: "Iv1.8a61f9b3a7aba766",
      POSTHORN_GITHUB_CLIENT_SECRET: "hunter22",
      POSTHORN_OIDC_ISSUER: "https://id.example.com/realms/main/",
      POSTHORN_OIDC_CLIENT_ID: "posthorn",
      POSTHORN_OIDC_CLIENT_SECRET: "hunter23",
      POSTHORN_OIDC_NAME: "Acme ID",
      POSTHORN_DASHBOARD_ORIGINS: "https://app.example.com, https://admin.example.com:8443",
      POSTHORN_TRUST_PROXY: "1",
      POSTHORN_METRICS_TOKEN: "scrape-me",
      POSTHORN_LOG_LEVEL: "debug",
      POSTHORN_LOG_FORMAT: "json",
      POSTHORN_OTLP_URL: "http://127.0.0.1:4318/"
    })
    assert.include(config, { host: "0.0.0.0", port: 8080, role: "api", publicUrl: "https://mail.example.com" })
    assert.include(config, { dataDir: "/var/lib/posthorn", logLevel: "Debug", logFormat: "json" })
    assert.include(config, { otlpUrl: "http://127.0.0.1:4318", databaseConnections: 5 })
    assert.match(Redacted.value(config.databaseRead?.url ?? Redacted.make("")), /@replica\.example\.com\/mail$/)
    assert.deepStrictEqual(config.databaseRead?.maxAge, Duration.seconds(60))
    assert.match(Redacted.value(config.databaseDirectUrl ?? Redacted.make("")), /@db\.example\.com:5433\/mail$/)
    assert.match(Redacted.value(config.redisUrl ?? Redacted.make("")), /@redis\.example\.com:6380\/2$/)
    assert.strictEqual(Redacted.value(config.nats?.url ?? Redacted.make("")), "nats://nats.example.com")
    assert.strictEqual(config.nats?.subject, "posthorn-staging")
    assert.deepStrictEqual(config.dnsServers, ["192.0.2.53", "[2001:db8::53]:5353"])
    assert.deepStrictEqual(config.dashboardOrigins, ["https://app.example.com", "https://admin.example.com:8443"])
    assert.deepStrictEqual(config.trustedProxies, { hops: 1 })
    assert.strictEqual(config.secret && Redacted.value(config.secret), secret)
    assert.deepStrictEqual(config.secretPrevious.map(Redacted.value), [`${secret}2`, `${secret}1`])
    assert.strictEqual(config.metricsToken && Redacted.value(config.metricsToken), "scrape-me")
    assert.strictEqual(config.transports?.[0].host, "mail.example.com")
    assert.strictEqual(config.bounceSmtpPort, 2525)
    assert.deepStrictEqual(config.submission, {
      host: "0.0.0.0",
      ports: { starttls: 587, tls: 465 },
      certificate: { cert: "/etc/posthorn/cert.pem", key: "/etc/posthorn/key.pem" },
      maxClients: 200,
      proxies: { hops: 1 }
    })
    const { github, google, oidc } = config.identity
    assert.include(oidc, { id: "posthorn", issuer: "https://id.example.com/realms/main/", label: "Acme ID" })
    assert.deepStrictEqual(github && [github.id, Redacted.value(github.secret)], ["Iv1.8a61f9b3a7aba766", "hunter22"])
    assert.isUndefined(google)
    assert.deepStrictEqual(config.outboundAllow?.hosts, ["hooks.internal"])
    assert.strictEqual(config.payments?.price, "price_1")
    assert.strictEqual(config.payments && Redacted.value(config.payments.secretKey), "sk_test_0123456789")
    assert.include(config.bucket, {
      endpoint: "https://s3.example.com",
      bucket: "images",
      publicUrl: "https://images.example.com"
    })
    const { notificationSecret, ...settings } = config.settings
    assert.strictEqual(notificationSecret && Redacted.value(notificationSecret), "a secret of 24 characters")
    assert.deepStrictEqual(settings, {
      submissionRatePerMinute: 100,
      snsTopics: ["arn:aws:sns:eu-west-1:123456789012:mail", "arn:aws-cn:sns:cn-north-1:123456789012:b"],
      listensForMail: true,
      freeEmails: 500,
      providerLookup: false,
      autoSuspend: false,
      hasConsole: false,
      signups: "invited",
      emailVerificationRequired: true,
      platformFrom: "service@example.com",
      securityContacts: ["mailto:security@example.com", "https://example.com/security", "tel:+49-30-123456"],
      rateLimitPerMinute: 0,
      sendRatePerSecond: 14,
      idempotencyLifetime: Duration.hours(48),
      deliveriesKept: Duration.days(7),
      retainEmailsDays: 400,
      retainTestEmailsDays: 7,
      retainBodiesDays: 0,
      retainEventsDays: 365,
      retainContextDays: 0,
      maxAttachments: 3,
      maxAttachmentBytes: 5 * 1024 * 1024,
      maxMessageBytes: 20 * 1024 * 1024,
      maxScheduledEmails: 5_000,
      optInMailsPerHour: 50,
      evidenceWait: { transactional: Duration.zero, bulk: Duration.zero },
      bounceDomain: "bounce.example.com",
      sendingIps: ["203.0.113.7", "2001:db8::7"],
      linkHost: "links.example.com",
      returnPathLabel: "returns",
      devMode: false,
      version: config.settings.version
    })
  })
)

it.effect("a client of an identity provider needs both an id and a secret", () =>
  Effect.gen(function* () {
    for (const [set, unset] of [
      ["POSTHORN_GOOGLE_CLIENT_ID", "POSTHORN_GOOGLE_CLIENT_SECRET"],
      ["POSTHORN_GITHUB_CLIENT_SECRET", "POSTHORN_GITHUB_CLIENT_ID"]
    ] as const) {
      const { problems } = yield* Effect.flip(serve({ ...served, [set]: "hunter22" }))
      assert.deepStrictEqual(
        problems.map(({ message }) => message),
        [`${unset} is not set, but ${set} is; one needs the other.`]
      )
    }
  })
)

it.effect("mail by SMTP from other machines needs a certificate, and a PROXY header a trusted proxy", () =>
  Effect.gen(function* () {
    const cert = "POSTHORN_SUBMISSION_TLS_CERT"
    const file = "it must be a PEM file with the certificate and its chain."
    const refused: ReadonlyArray<readonly [Record<string, string>, string]> = [
      [
        { POSTHORN_HOST: "0.0.0.0", POSTHORN_SUBMISSION_PORT: "587" },
        `${cert} is not set, but POSTHORN_SUBMISSION_PORT is; ${file}`
      ],
      [{ POSTHORN_SUBMISSIONS_PORT: "465" }, `${cert} is not set, but POSTHORN_SUBMISSIONS_PORT is; ${file}`],
      [
        { POSTHORN_SUBMISSIONS_PORT: "465", [cert]: "/cert.pem" },
        `POSTHORN_SUBMISSION_TLS_KEY is not set, but ${cert} is; one needs the other.`
      ],
      [
        { POSTHORN_SUBMISSION_PORT: "587", POSTHORN_SUBMISSION_PROXY: "true" },
        "POSTHORN_TRUST_PROXY is not set, but POSTHORN_SUBMISSION_PROXY is; one needs the other."
      ]
    ]
    for (const [env, sentence] of refused) {
      const { problems } = yield* Effect.flip(serve({ ...served, ...env }))
      assert.deepStrictEqual(
        problems.map(({ message }) => message),
        [sentence]
      )
    }
    const local = yield* serve({ ...served, POSTHORN_SUBMISSION_PORT: "587" })
    assert.deepInclude(local.submission, { ports: { starttls: 587, tls: null }, certificate: undefined })
    assert.isUndefined((yield* serve(served)).submission)
  })
)

it.effect("an OpenID Connect provider needs an issuer and a client", () =>
  Effect.gen(function* () {
    const client = { POSTHORN_OIDC_CLIENT_ID: "posthorn", POSTHORN_OIDC_CLIENT_SECRET: "hunter23" }
    for (const [given, unset, set] of [
      [client, "ISSUER", "CLIENT_ID"],
      [{ POSTHORN_OIDC_ISSUER: "http://localhost:8080" }, "CLIENT_ID", "ISSUER"]
    ] as const) {
      const { problems } = yield* Effect.flip(serve({ ...served, ...given }))
      assert.deepStrictEqual(
        problems.map(({ message }) => message),
        [`POSTHORN_OIDC_${unset} is not set, but POSTHORN_OIDC_${set} is; one needs the other.`]
      )
    }
  })
)

const wrong: ReadonlyArray<readonly [variable: string, text: string, sentence: string]> = [
  [
    "HOST",
    "local host",
    `has "local host"; it may be an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0.`
  ],
  ["PORT", "99999", `has "99999"; it may be a whole number from 0 to 65535 (0 selects a free port).`],
  ["PORT", "3e3", `has "3e3"; it may be a whole number from 0 to 65535 (0 selects a free port).`],
  [
    "PUBLIC_URL",
    "mail.example.com",
    `has "mail.example.com"; it may be an http or https URL without login, query and fragment, such as https://mail.example.com.`
  ],
  [
    "PUBLIC_URL",
    "https://a.test/?x=1",
    `has "https://a.test/?x=1"; it may be an http or https URL without login, query and fragment, such as https://mail.example.com.`
  ],
  [
    "OIDC_ISSUER",
    "https://app:hunter22@id.example.com",
    "has a login; it may be the https URL of an OpenID Connect provider, or an http URL of this machine, such as https://id.example.com/realms/main."
  ],
  [
    "DASHBOARD_ORIGINS",
    "https://app.example.com, https://app:hunter22@other.example.com",
    "has a login; it may be a comma separated list of origins, such as https://app.example.com."
  ],
  [
    "OTLP_URL",
    "https://app:hunter22@otlp.example.com",
    "has a login; it may be an http or https URL without login, query and fragment, such as http://127.0.0.1:4318."
  ],
  [
    "DATABASE_URL",
    "mysql://app:hunter22@db",
    "does not begin with postgres://; it may be a URL such as postgres://user:password@host:5432/name."
  ],
  [
    "DATABASE_URL",
    "postgres://app:hunt/er22@db:x",
    "is not a URL (percent-encode @ / ? # % in user and password); it may be a URL such as postgres://user:password@host:5432/name."
  ],
  [
    "DATABASE_DIRECT_URL",
    "db.example.com:hunter22",
    "does not begin with postgres://; it may be a URL such as postgres://user:password@host:5432/name."
  ],
  [
    "DATABASE_READ_URL",
    "replica:hunter22",
    "does not begin with postgres://; it may be a URL such as postgres://user:password@host:5432/name."
  ],
  [
    "REDIS_URL",
    "https://redis:hunter22@host",
    "does not begin with redis:// or rediss://; it may be a URL such as redis://user:password@host:6379/0."
  ],
  [
    "NATS_URL",
    "nats://user:hunt/er22@host:x",
    "is not a URL (percent-encode @ / ? # % in user and password); it may be a URL such as nats://user:password@host:4222."
  ],
  [
    "NATS_SUBJECT",
    "posthorn.*",
    'has "posthorn.*"; it may be at most 100 letters, digits, - and _, such as posthorn-staging.'
  ],
  ["DATABASE_READ_MAX_AGE_SECONDS", "ten", 'has "ten"; it may be a whole number from 0 to 86400.'],
  ["DATABASE_CONNECTIONS", "1", 'has "1"; it may be a whole number from 2 to 1000.'],
  [
    "SECURITY_CONTACT",
    "a@b.co,http://example.com",
    'has "a@b.co,http://example.com"; it may be a comma separated list of addresses and mailto:, https: or tel: URLs, such as security@example.com.'
  ],
  ["SECRET", "too short", "has 9 bytes; it may be any text of at least 32 bytes."],
  [
    "SECRET_PREVIOUS",
    "ü".repeat(15),
    "has 30 bytes; it may be each POSTHORN_SECRET used before, newest first: a comma separated list, or a JSON array of texts, of at least 32 bytes each."
  ],
  [
    "SECRET_PREVIOUS",
    `${"a".repeat(32)},${"b".repeat(31)}`,
    "has 31 bytes in entry 2; it may be each POSTHORN_SECRET used before, newest first: a comma separated list, or a JSON array of texts, of at least 32 bytes each."
  ],
  [
    "STRIPE_SECRET_KEY",
    "pk_test_0123456789",
    "does not begin with sk_ or rk_, or has characters other than letters, digits and _; it may be a secret or restricted key of Stripe, which begins with sk_ or rk_."
  ],
  [
    "STRIPE_WEBHOOK_SECRET",
    "whsec_ 0123456789",
    "does not begin with whsec_, or has characters other than letters, digits and _; it may be the signing secret of the endpoint at Stripe, which begins with whsec_."
  ],
  ["STRIPE_PRICE", "prod_1", `has "prod_1"; it may be the id of a price at Stripe, which begins with price_.`],
  ["BILLING_FREE_EMAILS", "-1", `has "-1"; it may be a whole number from 0 to 1000000000.`],
  [
    "S3_ENDPOINT",
    "s3.example.com",
    `has "s3.example.com"; it may be an http or https URL without login, query and fragment, such as https://s3.eu-west-1.amazonaws.com.`
  ],
  ["S3_BUCKET", "Images", `has "Images"; it may be the name of a bucket.`],
  ["S3_ACCESS_KEY", "AK ID", `has "AK ID"; it may be the id of an access key.`],
  [
    "S3_SECRET_KEY",
    "hunter\u00e422",
    "has less than 8 characters, or characters that are not ASCII; it may be the secret of that access key."
  ],
  [
    "S3_PUBLIC_URL",
    "images",
    `has "images"; it may be an http or https URL without login, query and fragment, such as https://images.example.com.`
  ],
  ["SMTP_URL", "smtp://mail.example.com?pool=900", "has pool=900, it may be 1 to 200."],
  [
    "SMTP_URL",
    "smtp://a.example.com, smtp://b.example.com?tls=maybe",
    ", entry 2, has tls=maybe, it may be required or none."
  ],
  ["ROLE", "web", `has "web"; it may be one of all, api, worker.`],
  [
    "DNS_SERVERS",
    "192.0.2.53,dns.example.com",
    `has "192.0.2.53,dns.example.com"; it may be a comma separated list of addresses with or without port, such as 192.0.2.53:53.`
  ],
  ["RATE_LIMIT_PER_MINUTE", "-1", `has "-1"; it may be a whole number from 0 to 1000000 (0 means no limit).`],
  ["SEND_RATE_PER_SECOND", "0.5", `has "0.5"; it may be a whole number from 0 to 100000 (0 means no limit).`],
  ["RETAIN_TEST_EMAILS_DAYS", "-1", `has "-1"; it may be a whole number from 0 to 36500 (0 keeps them for ever).`],
  ["RETAIN_EMAILS_DAYS", "-1", `has "-1"; it may be a whole number from 0 to 36500 (0 keeps them for ever).`],
  ["RETAIN_BODIES_DAYS", "90d", `has "90d"; it may be a whole number from 0 to 36500 (0 keeps them for ever).`],
  ["RETAIN_EVENTS_DAYS", "1.5", `has "1.5"; it may be a whole number from 0 to 36500 (0 keeps them for ever).`],
  ["RETAIN_CONTEXT_DAYS", "-1", `has "-1"; it may be a whole number from 0 to 36500 (0 keeps it for ever).`],
  ["IDEMPOTENCY_TTL_HOURS", "0", `has "0"; it may be a whole number from 1 to 720.`],
  ["RETAIN_DELIVERIES_DAYS", "0", `has "0"; it may be a whole number from 1 to 3650.`],
  ["MAX_ATTACHMENTS", "many", `has "many"; it may be a whole number from 0 to 100.`],
  ["MAX_ATTACHMENT_MB", "41", `has "41"; it may be a whole number from 0 to 40.`],
  ["MAX_MESSAGE_MB", "0", `has "0"; it may be a whole number from 1 to 100.`],
  ["MAX_SCHEDULED_EMAILS", "many", `has "many"; it may be a whole number from 0 to 100000000 (0 means no limit).`],
  ["OPT_IN_MAILS_PER_HOUR", "-1", `has "-1"; it may be a whole number from 0 to 10000000 (0 means no limit).`],
  ["EVIDENCE_WAIT_SECONDS", "1m", `has "1m"; it may be a whole number from 0 to 86400.`],
  ["LINK_HOST", "links..example", `has "links..example"; it may be a host name, such as links.example.com.`],
  ["BOUNCE_DOMAIN", "bounce..example", `has "bounce..example"; it may be a host name, such as bounce.example.com.`],
  [
    "SENDING_IPS",
    "203.0.113.0/24",
    `has "203.0.113.0/24"; it may be a comma separated list of IP addresses, such as 203.0.113.7, 2001:db8::7.`
  ],
  ["RETURN_PATH_LABEL", "a.b", `has "a.b"; it may be one label of a host name, such as bounce.`],
  [
    "SUBMISSION_PORT",
    "submission",
    `has "submission"; it may be a whole number from 0 to 65535 (0 selects a free port).`
  ],
  ["SUBMISSIONS_PORT", "-1", `has "-1"; it may be a whole number from 0 to 65535 (0 selects a free port).`],
  ["SUBMISSION_RATE_PER_MINUTE", "-1", `has "-1"; it may be a whole number from 0 to 1000000 (0 means no limit).`],
  ["SUBMISSION_MAX_CLIENTS", "0", `has "0"; it may be a whole number from 1 to 100000.`],
  ["SUBMISSION_PROXY", "yes", `has "yes"; it may be one of true, false.`],
  ["BOUNCE_SMTP_PORT", "smtp", `has "smtp"; it may be a whole number from 0 to 65535 (0 selects a free port).`],
  [
    "NOTIFICATION_SECRET",
    "hunter22",
    "has 8 characters; it may be whsec_ and base64 of at least 24 bytes, or any text of at least 24 characters."
  ],
  [
    "NOTIFICATION_SECRET",
    "whsec_aHVudGVyMjI=",
    "has 8 bytes after whsec_; it may be whsec_ and base64 of at least 24 bytes, or any text of at least 24 characters."
  ],
  [
    "SNS_TOPICS",
    "mail",
    `has "mail"; it may be a comma separated list of topics, such as arn:aws:sns:eu-west-1:123456789012:mail.`
  ],
  ["CONSOLE", "true", `has "true"; it may be one of on, off.`],
  ["PROVIDER_LOOKUP", "list", `has "list"; it may be one of true, false.`],
  ["AUTO_SUSPEND", "maybe", `has "maybe"; it may be one of true, false.`],
  ["DISABLE_SIGNUPS", "yes", `has "yes"; it may be one of auto, true, false.`],
  ["REQUIRE_EMAIL_VERIFICATION", "1", `has "1"; it may be one of true, false.`],
  ["PLATFORM_FROM", "nobody", `has "nobody"; it may be an address, such as posthorn@example.com.`],
  [
    "OUTBOUND_ALLOW",
    "10.1.0.0/33",
    `has "10.1.0.0/33"; it may be a comma separated list of host names, addresses and CIDR blocks, such as hooks.internal, 10.1.0.0/16.`
  ],
  [
    "DASHBOARD_ORIGINS",
    "https://app.example.com/path",
    `has "https://app.example.com/path"; it may be a comma separated list of origins, such as https://app.example.com.`
  ],
  [
    "TRUST_PROXY",
    "yes",
    `has "yes"; it may be false, a number of proxies up to 10, or a comma separated list of addresses and CIDR blocks.`
  ],
  ["GITHUB_CLIENT_ID", "a b", `has "a b"; it may be the client id from the provider, in visible ASCII.`],
  ["GITHUB_CLIENT_SECRET", "hunter 22", "has blanks or other characters; it may be any visible ASCII without blanks."],
  ["GOOGLE_CLIENT_ID", "ü", `has "ü"; it may be the client id from the provider, in visible ASCII.`],
  ["GOOGLE_CLIENT_SECRET", "hünter22", "has blanks or other characters; it may be any visible ASCII without blanks."],
  [
    "OIDC_ISSUER",
    "http://id.example.com",
    `has "http://id.example.com"; it may be the https URL of an OpenID Connect provider, or an http URL of this machine, such as https://id.example.com/realms/main.`
  ],
  ["OIDC_CLIENT_ID", "a b", `has "a b"; it may be the client id from the provider, in visible ASCII.`],
  ["OIDC_CLIENT_SECRET", "hunter 22", "has blanks or other characters; it may be any visible ASCII without blanks."],
  [
    "OIDC_NAME",
    "a".repeat(51),
    `has "${"a".repeat(51)}"; it may be a name of 1 to 50 characters on one line, such as Acme ID.`
  ],
  ["METRICS_TOKEN", "two words", "has blanks or other characters; it may be any visible ASCII without blanks."],
  ["LOG_LEVEL", "loud", `has "loud"; it may be one of trace, debug, info, warn, error, fatal, none.`],
  ["LOG_FORMAT", "xml", `has "xml"; it may be one of pretty, json.`],
  [
    "OTLP_URL",
    "collector:4318",
    `has "collector:4318"; it may be an http or https URL without login, query and fragment, such as http://127.0.0.1:4318.`
  ]
]

describe("a wrong value stops the start with one sentence", () => {
  it.effect.each(wrong)("POSTHORN_%s=%s", ([name, text, sentence]) =>
    Effect.gen(function* () {
      const variable = `POSTHORN_${name}`
      // The dev mode reads no URL of a database, of Redis or of NATS.
      const mode = /^(?:DATABASE|NATS|REDIS)_/.test(name) ? "operate" : "dev"
      const error = yield* Effect.flip(inside(Config.read(mode), { [variable]: text }))
      assert.instanceOf(error, Config.InvalidConfig)
      assert.strictEqual(error.message, `${variable}${sentence.startsWith(",") ? "" : " "}${sentence}`)
      assert.strictEqual(Runtime.getErrorExitCode(error), 2)
      assert.notInclude(error.message, "hunt")
    })
  )

  it("each variable with its own format is among them", () => {
    const tested = new Set(wrong.map(([name]) => `POSTHORN_${name}`))
    const { dataDir, disposableDomainsFile, personalDomainsFile, submissionCert, submissionKey } = variables
    const free = [dataDir, disposableDomainsFile, personalDomainsFile, submissionCert, submissionKey].map(
      ({ name }) => name
    )
    assert.deepStrictEqual(
      Object.values(variables)
        .map(({ name }) => name)
        .filter((name) => !tested.has(name)),
      free
    )
  })

  it.effect("a long value is cut", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(dev({ POSTHORN_ROLE: "x".repeat(500) }))
      assert.strictEqual(message, `POSTHORN_ROLE has "${"x".repeat(60)}..."; it may be one of all, api, worker.`)
    })
  )

  it.effect("all problems are reported together", () =>
    Effect.gen(function* () {
      const { problems } = yield* Effect.flip(dev({ POSTHORN_PORT: "x", POSTHORN_ROLE: "x", POSTHORN_SECRET: "x" }))
      const variables = problems.map(({ variable }) => variable)
      assert.deepStrictEqual(variables.sort(), ["POSTHORN_PORT", "POSTHORN_ROLE", "POSTHORN_SECRET"])
    })
  )
})

describe("variables that depend on each other", () => {
  it.effect("a direct URL needs a database URL", () =>
    Effect.gen(function* () {
      const { POSTHORN_DATABASE_URL: direct, ...env } = served
      const { message } = yield* Effect.flip(serve({ ...env, POSTHORN_DATABASE_DIRECT_URL: direct }))
      assert.strictEqual(
        message,
        "POSTHORN_DATABASE_URL is not set, but POSTHORN_DATABASE_DIRECT_URL is; one needs the other."
      )
      const replica = yield* Effect.flip(serve({ ...env, POSTHORN_DATABASE_READ_URL: direct }))
      assert.strictEqual(
        replica.message,
        "POSTHORN_DATABASE_URL is not set, but POSTHORN_DATABASE_READ_URL is; one needs the other."
      )
      const several = {
        ...served,
        POSTHORN_DATABASE_URL: "postgres://app:hunter22@a.example.com,b.example.com:5433/mail"
      }
      assert.strictEqual(
        (yield* Effect.flip(serve(several))).message,
        "POSTHORN_DATABASE_URL names several hosts; name the proxy or the address that leads to the primary; it may be a URL such as postgres://user:password@host:5432/name."
      )
    })
  )

  it.effect("a database server needs a secret in the environment", () =>
    Effect.gen(function* () {
      const { POSTHORN_SECRET: _, ...env } = served
      const { message } = yield* Effect.flip(serve(env))
      assert.strictEqual(
        message,
        "POSTHORN_SECRET is not set; with POSTHORN_DATABASE_URL it is required, with at least 32 bytes."
      )
      assert.isUndefined((yield* dev(env)).secret)
    })
  )

  it.effect("a process that only answers requests needs no transport", () =>
    Effect.gen(function* () {
      const { POSTHORN_SMTP_URL: _, ...env } = served
      assert.isUndefined((yield* serve(env, { role: "api" })).transports)
      const { message } = yield* Effect.flip(serve(env, { role: "worker" }))
      assert.match(message, /^POSTHORN_SMTP_URL is not set/)
    })
  )

  it.effect("separate roles need a database server", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(serve({ ...smtp, POSTHORN_ROLE: "worker" }))
      assert.strictEqual(
        message,
        'POSTHORN_ROLE is "worker", which needs POSTHORN_DATABASE_URL; only one process can use the embedded database, with role all.'
      )
    })
  )

  it.effect("a command on the database needs the secret, and no transport", () =>
    Effect.gen(function* () {
      const operate = (env: Environment) => inside(Config.read("operate"), env)
      const { POSTHORN_SECRET: _, POSTHORN_SMTP_URL: __, ...env } = served
      assert.isFalse((yield* operate({})).settings.devMode)
      assert.isUndefined((yield* operate({ ...env, POSTHORN_SECRET: secret })).transports)
      assert.match((yield* Effect.flip(operate(env))).message, /^POSTHORN_SECRET is not set/)
    })
  )

  it.effect("a worker listens if a port is set", () =>
    Effect.gen(function* () {
      assert.isFalse((yield* serve(served, { role: "worker" })).listens)
      assert.include(yield* serve(served, { role: "worker", port: 9000 }), { listens: true, port: 9000 })
      assert.isTrue((yield* serve({ ...served, POSTHORN_PORT: "0" }, { role: "worker" })).listens)
    })
  )

  it.effect("the command line takes precedence over the environment, and blank means unset", () =>
    Effect.gen(function* () {
      const env = { POSTHORN_PORT: "8080", POSTHORN_HOST: "", POSTHORN_DATA_DIR: "/a", POSTHORN_LOG_LEVEL: " " }
      const config = yield* dev(env, { port: 0, dataDir: "/b" })
      assert.include(config, { port: 0, dataDir: "/b", host: "127.0.0.1", logLevel: "Info" })
    })
  )
})

it.effect("variables that belong together must be set together", () =>
  Effect.gen(function* () {
    const { problems } = yield* Effect.flip(
      dev({ POSTHORN_STRIPE_PRICE: "price_1", POSTHORN_S3_BUCKET: "images", POSTHORN_S3_ENDPOINT: "nonsense" })
    )
    assert.deepStrictEqual(
      problems.map(({ message }) => message),
      [
        "POSTHORN_STRIPE_SECRET_KEY is not set, and POSTHORN_STRIPE_PRICE is; it must be a secret or restricted key of Stripe, which begins with sk_ or rk_.",
        "POSTHORN_STRIPE_WEBHOOK_SECRET is not set, and POSTHORN_STRIPE_PRICE is; it must be the signing secret of the endpoint at Stripe, which begins with whsec_.",
        'POSTHORN_S3_ENDPOINT has "nonsense"; it may be an http or https URL without login, query and fragment, such as https://s3.eu-west-1.amazonaws.com.',
        "POSTHORN_S3_ACCESS_KEY is not set, and POSTHORN_S3_BUCKET is; it must be the id of an access key.",
        "POSTHORN_S3_SECRET_KEY is not set, and POSTHORN_S3_BUCKET is; it must be the secret of that access key."
      ]
    )
  })
)

it.effect("variables without effect are reported, with the nearest name", () =>
  Effect.gen(function* () {
    const sentences = yield* inside(idle, {
      ...served,
      PATH: "/bin",
      POSTHORN_KEY: "sk_x",
      POSTHORN_URL: "http://127.0.0.1:3000",
      POSTHORN_SMPT_URL: "smtp://127.0.0.1",
      POSTHORN_RETAIN_CONTEXT_DAYS: "30",
      POSTHORN_WHATEVER_IT_IS: "1"
    })
    assert.deepStrictEqual(sentences, [
      "POSTHORN_SMPT_URL is not a variable of Posthorn. Is POSTHORN_SMTP_URL meant?",
      "POSTHORN_WHATEVER_IT_IS is not a variable of Posthorn."
    ])
  })
)
