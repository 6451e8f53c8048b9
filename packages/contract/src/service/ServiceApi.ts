/** Endpoints about the service itself. They take no key and have no rate limit. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { described, Timestamp } from "../platform/Primitives.ts"

export const Health = Schema.Struct({
  status: Schema.Literal("ok"),
  time: Timestamp,
  uptime: Schema.Int.pipe(described("Whole seconds since the start.")),
  version: Schema.String
}).annotate({ identifier: "Health", description: "The process is alive." })

const Check = Schema.Literals(["ok", "failed", "skipped"])

const checks = Schema.Struct({
  database: Check,
  migrations: Check,
  storage: Check,
  workers: Check,
  mailer: Check,
  eventLoop: Schema.Literals(["ok", "degraded", "skipped"]).pipe(
    described(
      "`degraded`: in the last minute the event loop of this process ran more than 1 second late, or more than 100 ms late in 1 of 100 cases. The service stays ready."
    )
  )
})
export type Checks = typeof checks.Type

export const Ready = Schema.Struct({ status: Schema.Literal("ready"), checks }).annotate({
  identifier: "Ready",
  description: "The service can work."
})
export const NotReady = Schema.Struct({ status: Schema.Literal("not_ready"), checks })
  .annotate({ identifier: "NotReady", description: "Something the service needs is missing, or it is shutting down." })
  .pipe(HttpApiSchema.status(503))

const Switch = Schema.Struct({ enabled: Schema.Boolean })

export const Deployment = Schema.Struct({
  environment: Schema.Literals(["production", "development"]),
  version: Schema.String,
  urls: Schema.Struct({
    api: Schema.String.pipe(described("Base of every address of this service.")),
    dashboard: Schema.NullOr(Schema.String).pipe(described("Where the dashboard is, if it is elsewhere."))
  }),
  features: Schema.Struct({
    signups: Switch,
    billing: Switch,
    storage: Schema.Struct({ enabled: Schema.Boolean, s3Enabled: Schema.Boolean }),
    authProviders: Schema.Struct({
      github: Schema.Boolean,
      google: Schema.Boolean,
      oidc: Schema.optionalKey(Schema.Boolean)
    }),
    email: Schema.Struct({ trackingToggleEnabled: Schema.Boolean, verificationRequired: Schema.Boolean }),
    inbound: Switch,
    smtp: Switch,
    devMailbox: Switch
  })
}).annotate({ identifier: "Deployment", description: "What this deployment offers." })

export class ServiceApi extends HttpApiGroup.make("service")
  .add(
    HttpApiEndpoint.get("health", "/health", { success: Health }).annotateMerge(
      OpenApi.annotations({
        summary: "Is the process alive",
        description: "For liveness probes; does no I/O. No key, no limit."
      })
    ),
    HttpApiEndpoint.get("ready", "/ready", { success: [Ready, NotReady] }).annotateMerge(
      OpenApi.annotations({
        summary: "Can the service work",
        description:
          "For readiness probes; checks everything that the service needs. 503 from the start of a shutdown. No key, no limit."
      })
    ),
    HttpApiEndpoint.get("config", "/config", { success: Deployment }).annotateMerge(
      OpenApi.annotations({
        summary: "What this deployment offers",
        description:
          "Which features are on, for pages that build on the service. No secrets, no counts. No key, no limit."
      })
    )
  )
  .annotate(OpenApi.Description, "The service itself, for its operator.") {}
