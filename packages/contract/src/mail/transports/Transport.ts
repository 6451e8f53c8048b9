/** The SMTP servers of a project, and the routes that choose between them. */
import { Schema } from "effect"
import { EmailType } from "../../content/templates/Template.ts"
import { ProjectId } from "../../platform/Auth.ts"
import { DomainName } from "../../platform/DomainName.ts"
import {
  described,
  Id,
  IntBetween,
  isLength,
  listOf,
  Name,
  optional,
  required,
  Timestamp
} from "../../platform/Primitives.ts"
import { Secret } from "../../platform/SigningSecret.ts"
import { SourceType } from "../emails/Email.ts"

export const TransportId = Id.pipe(Schema.brand("TransportId"))
export type TransportId = typeof TransportId.Type

/** IMPLICIT: TLS from the first byte. STARTTLS: TLS after the greeting. */
export const TransportTls = Schema.Literals(["IMPLICIT", "STARTTLS"])
export type TransportTls = typeof TransportTls.Type

export const TransportStatus = Schema.Literals(["OK", "FAILING"])

/** Ports that a transport may have, unless the operator opened its host. */
export const transportPorts: ReadonlyArray<number> = [25, 465, 587, 2465, 2525, 2587]

export const Transport = Schema.Struct({
  id: TransportId,
  projectId: ProjectId,
  name: Schema.String.pipe(described("The `transport` in attempt logs.")),
  host: Schema.String,
  port: Schema.Int,
  tls: TransportTls,
  user: Schema.NullOr(Schema.String),
  hasPassword: Schema.Boolean,
  pool: Schema.Int.pipe(described("Number of mails that each worker sends at the same time.")),
  enabled: Schema.Boolean,
  snsTopicArns: Schema.Array(Schema.String),
  hasNotificationSecret: Schema.Boolean,
  status: TransportStatus.pipe(
    described(
      "`FAILING`: it refused the login, or could not be reached three times. Mail does not use it, and it is tested every 60 seconds."
    )
  ),
  lastError: Schema.NullOr(Schema.String),
  failingSince: Schema.NullOr(Timestamp),
  lastUsedAt: Schema.NullOr(Timestamp).pipe(described("Up to a minute old.")),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Transport", description: "An SMTP server of the project." })
export type Transport = typeof Transport.Type

const Port = IntBetween(1, 65_535)
const Pool = IntBetween(1, 50).pipe(
  described("Number of mails that each worker sends at the same time; 1 to 50, default 5.")
)
const Host = Schema.String.check(isLength(1, 253)).pipe(described("DNS name or public IP address."))
const User = Schema.String.check(isLength(1, 320))
const Password = Schema.String.check(isLength(1, 1_000))
const portText = "25, 465, 587, 2465, 2525 or 2587."
const TopicArns = listOf(
  Schema.String.check(
    isLength(1, 300),
    Schema.isPattern(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+$/, { message: "Not the ARN of an SNS topic." })
  ),
  Schema.isMaxLength(10, { code: "too_big", message: "At most 10 topics." })
).pipe(described("Topics of Amazon SNS whose notifications about mail of this project are accepted, at most 10."))
const notificationSecret =
  "Signs `POST /webhooks/notifications?transport={id}`: `whsec_` and the base64 of 24 to 64 bytes."

export const CreateTransport = Schema.Struct({
  name: required(Name(100)).pipe(described("Unique in the project.")),
  host: required(Host),
  port: required(Port).pipe(described(portText)),
  tls: optional(TransportTls).pipe(described("Default `IMPLICIT` at ports 465 and 2465, otherwise `STARTTLS`.")),
  user: optional(User).pipe(described("Needs `password`.")),
  password: optional(Password).pipe(described("Stored encrypted, never shown. Needs `user`.")),
  pool: optional(Pool),
  enabled: optional(Schema.Boolean).pipe(described("Default true. Mail does not use a disabled transport.")),
  snsTopicArns: optional(TopicArns),
  notificationSecret: optional(Secret).pipe(described(notificationSecret))
}).annotate({ identifier: "CreateTransport" })
export type CreateTransport = typeof CreateTransport.Type

export const UpdateTransport = Schema.Struct({
  name: optional(Name(100)),
  host: optional(Host).pipe(
    described("DNS name or public IP address. A new one needs `password` if there is a login.")
  ),
  port: optional(Port).pipe(described(portText)),
  tls: optional(TransportTls),
  user: Schema.optionalKey(Schema.NullOr(User)).pipe(described("`null` removes the login.")),
  password: optional(Password).pipe(described("Stored encrypted, never shown.")),
  pool: optional(Pool),
  enabled: optional(Schema.Boolean),
  snsTopicArns: optional(TopicArns),
  notificationSecret: Schema.optionalKey(Schema.NullOr(Secret)).pipe(
    described(`${notificationSecret} \`null\` removes it.`)
  )
}).annotate({ identifier: "UpdateTransport", description: "Absent fields keep their values." })
export type UpdateTransport = typeof UpdateTransport.Type

export const CheckedTransport = Schema.Struct({
  ok: Schema.Boolean,
  tls: Schema.NullOr(Schema.String).pipe(described("Version of TLS, such as `TLSv1.3`.")),
  extensions: Schema.Array(Schema.String).pipe(described("SMTP extensions that the server lists.")),
  size: Schema.NullOr(Schema.Int).pipe(described("Maximum message size in bytes; null if the server names none.")),
  error: Schema.NullOr(Schema.String).pipe(described("The reply of the server, or why there was none."))
}).annotate({ identifier: "CheckedTransport", description: "The result of a test session." })
export type CheckedTransport = typeof CheckedTransport.Type

const TransportIds = listOf(
  TransportId,
  Schema.isMinLength(1, { code: "too_small", message: "At least one transport." }),
  Schema.isMaxLength(5, { code: "too_big", message: "At most 5 transports." })
).pipe(described("1 to 5 transports, in order of failover."))

export const Route = Schema.Struct({
  senderDomain: Schema.NullOr(Schema.String).pipe(described("Domain of the From address; null for any.")),
  type: Schema.NullOr(EmailType),
  sourceType: Schema.NullOr(SourceType),
  transportIds: Schema.Array(TransportId),
  fallbackToServer: Schema.Boolean
}).annotate({
  identifier: "TransportRoute",
  description: "A route: conditions, and the transports for mail that matches them."
})
export type Route = typeof Route.Type

export const Routes = Schema.Struct({
  routes: Schema.Array(Route).pipe(described("The first route whose conditions all match is used."))
}).annotate({ identifier: "TransportRoutes", description: "All routes of the project, in order." })
export type Routes = typeof Routes.Type

export const NewRoute = Schema.Struct({
  senderDomain: optional(DomainName).pipe(described("Domain of the From address.")),
  type: optional(EmailType),
  sourceType: optional(SourceType),
  transportIds: required(TransportIds),
  fallbackToServer: optional(Schema.Boolean).pipe(
    described(
      "Whether the transports of the installation are used if these fail. Otherwise mail waits until one of these works. Default true."
    )
  )
}).annotate({ identifier: "NewTransportRoute", description: "A route without conditions is the project's default." })
export type NewRoute = typeof NewRoute.Type

export const SetRoutes = Schema.Struct({
  routes: required(listOf(NewRoute, Schema.isMaxLength(50, { code: "too_big", message: "At most 50 routes." }))).pipe(
    described("At most 50, in order.")
  )
}).annotate({ identifier: "SetTransportRoutes", description: "Replaces all routes of the project." })
export type SetRoutes = typeof SetRoutes.Type
