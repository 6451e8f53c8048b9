/** An application with the keys of a project. */
import { assert } from "@effect/vitest"
import { publish } from "@posthorn/core/mail/domains/DnsResolverMemory"
import type { DnsStub } from "@posthorn/platform-node/testing/DnsStub"
import { Effect, Schema } from "effect"
import { type Answer, body, call } from "../../testing/ApiCall.ts"

export interface Caller {
  readonly url: string
  readonly projectId: string
  readonly publicKey: string
  readonly secretKey: string
}

/** A request with the secret key. A body is sent as JSON. */
export const request = (
  { url, secretKey }: Pick<Caller, "url" | "secretKey">,
  method: string,
  path: string,
  json?: unknown
): Effect.Effect<Answer> =>
  call(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
    ...(json !== undefined && { body: JSON.stringify(json) })
  })

/** A CSV file as the body of an upload. */
export const csvForm = (csv: string) => ({
  type: "multipart/form-data; boundary=form",
  text: `--form\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\n\r\n${csv}\r\n--form--\r\n`
})

/** An image of one pixel as the body of an upload. All of its bytes are ASCII. */
/** An image of one pixel. `more` makes its content another one. */
export const imageFormOf = (more: string) => ({
  type: "multipart/form-data; boundary=form",
  text: `--form\r\nContent-Disposition: form-data; name="image"; filename="pixel.gif"\r\n\r\nGIF89a\x01\0\x01\0\0\0\0;${more}\r\n--form--\r\n`
})
export const imageForm = imageFormOf("")

/** The body of an answer, which must have this status. */
export const succeed = <S extends Schema.ConstraintDecoder<unknown>>(
  status: number,
  schema: S,
  ...args: Parameters<typeof request>
) =>
  Effect.flatMap(request(...args), (answer) => {
    assert.strictEqual(answer.status, status, answer.text)
    return body(answer, schema)
  })

export const Domain = Schema.Struct({
  id: Schema.String,
  domain: Schema.String,
  status: Schema.String,
  selector: Schema.String,
  records: Schema.Array(
    Schema.Struct({
      type: Schema.Literals(["TXT", "MX"]),
      name: Schema.String,
      value: Schema.String,
      purpose: Schema.Literals(["DKIM", "RETURN_PATH", "SPF", "DMARC"]),
      required: Schema.Boolean,
      status: Schema.String
    })
  )
})
export type Domain = typeof Domain.Type

/** Does what the owner of a domain does: adds it, publishes the records and has them checked. */
export const addDomain = Effect.fnUntraced(function* (caller: Caller, dns: DnsStub, name: string) {
  const added = yield* succeed(201, Domain, caller, "POST", "/domains", { domain: name })
  publish(dns.zone, added.records)
  const checked = yield* succeed(200, Domain, caller, "GET", `/domains/${added.id}/verify`)
  return { added, checked }
})

const Sent = Schema.Struct({
  data: Schema.Struct({ emails: Schema.Array(Schema.Struct({ email: Schema.String, status: Schema.String })) })
})

/** The ids of the emails, one for each recipient. */
export const send = (caller: Pick<Caller, "url" | "secretKey">, mail: Record<string, unknown>) =>
  Effect.map(succeed(200, Sent, caller, "POST", "/v1/send", mail), ({ data }) => data.emails.map(({ email }) => email))

export const Email = Schema.Struct({
  status: Schema.String,
  attempts: Schema.Int,
  messageId: Schema.String,
  error: Schema.NullOr(Schema.Struct({ code: Schema.String })),
  attemptLog: Schema.Array(Schema.Struct({ outcome: Schema.NullOr(Schema.String), code: Schema.NullOr(Schema.Int) })),
  timeline: Schema.Array(Schema.Struct({ type: Schema.String }))
})

export const emailOf = (caller: Pick<Caller, "url" | "secretKey">, id: string) =>
  succeed(200, Email, caller, "GET", `/emails/${id}`)
