/** API keys: more credentials of a project, in addition to its two keys, each with its own scopes and limits. */
import { Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { ProjectId } from "../../platform/Auth.ts"
import { DomainName } from "../../platform/DomainName.ts"
import {
  DateQuery,
  described,
  Id,
  isWithin,
  listOf,
  Name,
  optional,
  required,
  Timestamp
} from "../../platform/Primitives.ts"
import { everything, scopes } from "../../platform/Scopes.ts"

export const ApiKeyId = Id.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

export const KeyMode = Schema.Literals(["LIVE", "TEST"])
export type KeyMode = typeof KeyMode.Type

/** Keys of a project. */
export const maxApiKeys = 100

const aboutScopes =
  "What the key may do. `:read` allows the GET operations of a group, `:write` all of its operations; `send` allows sending, rescheduling and cancelling mail; `*` allows everything."
const aboutDomains = "If not empty, the sender of a send must be at one of these domains."
const aboutRanges = "If not empty, requests must come from one of these addresses or CIDR blocks."
const aboutRate = "Requests in any 60 seconds, in addition to the limit of the project. Null: no limit of its own."

const record = {
  id: ApiKeyId,
  projectId: ProjectId,
  name: Schema.String,
  mode: KeyMode.annotate({
    description: "`LIVE`: mail is sent. `TEST`: mail is processed but not sent, and the key changes only test mail."
  }),
  scopes: Schema.Array(Schema.String).pipe(described(aboutScopes)),
  senderDomains: Schema.Array(Schema.String).pipe(described(aboutDomains)),
  ipRanges: Schema.Array(Schema.String).pipe(described(aboutRanges)),
  rateLimitPerMinute: Schema.NullOr(Schema.Int).pipe(described(aboutRate)),
  hint: Schema.String.pipe(described("The last four characters of the key.")),
  expiresAt: Schema.NullOr(Timestamp).pipe(described("The key is refused from this time on.")),
  previousValidUntil: Schema.NullOr(Timestamp).pipe(
    described("Until this time, the key from before the last rotation is also accepted.")
  ),
  lastUsedAt: Schema.NullOr(Timestamp).pipe(described("Up to a minute old.")),
  lastUsedVia: Schema.NullOr(Schema.Literals(["HTTP", "SMTP"])),
  createdBy: Schema.Struct({
    kind: Schema.Literals(["member", "key"]).pipe(described("`key`: the secret key, or the host application.")),
    id: Schema.NullOr(Id).pipe(described("Id of the member."))
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const ApiKey = Schema.Struct(record).annotate({
  identifier: "ApiKey",
  description: "An API key, without the key itself."
})
export type ApiKey = typeof ApiKey.Type

export const ApiKeyWithKey = Schema.Struct({
  ...record,
  key: Schema.String.pipe(described("`ph_live_` or `ph_test_`, and 43 characters. Shown only here."))
}).annotate({ identifier: "ApiKeyWithKey", description: "An API key, with the key itself." })
export type ApiKeyWithKey = typeof ApiKeyWithKey.Type

const Scopes = listOf(
  Schema.Literals([...scopes, everything]),
  Schema.isMinLength(1, { code: "too_small", message: "At least one scope." }),
  Schema.isMaxLength(scopes.length + 1, { code: "too_big", message: `At most ${scopes.length + 1} scopes.` })
)

/** The canonical form of an address or a block. Undefined for anything else. */
const canonicalRange = (text: string): string | undefined => {
  const [address = "", prefix, ...more] = text.trim().split("/")
  if (more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return undefined
  const network = Result.flatMap(NetAddress.ipFromString(address), (found) =>
    IpNetwork.fromAddress(found, prefix === undefined ? NetAddress.width(found) : Number(prefix))
  )
  if (Result.isFailure(network)) return undefined
  return prefix === undefined ? NetAddress.formatIp(network.success.address) : IpNetwork.format(network.success)
}

const notRange = "Not an IP address or CIDR block, such as 198.51.100.0/24."

const IpRange = Schema.String.check(isWithin(60, notRange)).pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.makeFilter(
        (text: string) =>
          canonicalRange(text) === text || new SchemaIssue.InvalidValue({ code: "invalid_string", message: notRange })
      )
    ),
    SchemaTransformation.transform({ decode: (given) => canonicalRange(given) ?? given, encode: (stored) => stored })
  )
)

const atMost50 = (what: string) => Schema.isMaxLength(50, { code: "too_big", message: `At most 50 ${what}.` })

const RateLimit = Schema.NullOr(
  Schema.Int.check(
    Schema.isGreaterThanOrEqualTo(1, { message: "Must be at least 1." }),
    Schema.isLessThanOrEqualTo(100_000, { message: "Must be at most 100000." })
  )
)

const aboutExpiry = "When the key expires: ISO 8601, in UTC unless it has a zone, in the future. Null: never."
const aboutMode =
  "`LIVE` (default) or `TEST`; cannot be changed. Keys of test mode can only have the scopes `send`, `emails:write` and those that end in `:read`."

const settings = {
  senderDomains: optional(listOf(DomainName, atMost50("domains"))).pipe(described(`0 to 50 domains. ${aboutDomains}`)),
  ipRanges: optional(listOf(IpRange, atMost50("addresses or blocks"))).pipe(
    described(`0 to 50 addresses or blocks. ${aboutRanges}`)
  ),
  rateLimitPerMinute: Schema.optionalKey(RateLimit).pipe(described(`1 to 100000. ${aboutRate}`)),
  expiresAt: Schema.optionalKey(Schema.NullOr(DateQuery.pipe(Schema.annotateEncoded({ format: "date-time" })))).pipe(
    described(aboutExpiry)
  )
}

export const CreateApiKey = Schema.Struct({
  name: required(Name(100)).pipe(described("1 to 100 characters on one line.")),
  mode: optional(KeyMode).pipe(described(aboutMode, "LIVE")),
  scopes: required(Scopes).pipe(described(aboutScopes)),
  ...settings
}).annotate({ identifier: "CreateApiKey" })
export type CreateApiKey = typeof CreateApiKey.Type

export const UpdateApiKey = Schema.Struct({
  name: optional(Name(100)).pipe(described("1 to 100 characters on one line.")),
  scopes: optional(Scopes).pipe(described(aboutScopes)),
  ...settings
}).annotate({ identifier: "UpdateApiKey", description: "Absent fields keep their values. The mode cannot be changed." })
export type UpdateApiKey = typeof UpdateApiKey.Type

export const RotateApiKey = Schema.Struct({
  overlapHours: optional(
    Schema.Int.check(
      Schema.isGreaterThanOrEqualTo(0, { message: "Must be at least 0." }),
      Schema.isLessThanOrEqualTo(168, { message: "Must be at most 168." })
    )
  ).pipe(described("Hours for which the old key is still accepted, 0 to 168.", "24"))
}).annotate({ identifier: "RotateApiKey" })
export type RotateApiKey = typeof RotateApiKey.Type
