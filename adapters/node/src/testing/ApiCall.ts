/** Calls a running server as an application does. */
import { Effect, Schema } from "effect"
import { noteSecretsOf } from "./KnownSecrets.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A stream of events does not end, so its beginning is the text. */
const textOf = async (response: Response): Promise<string> => {
  if (response.headers.get("content-type") !== "text/event-stream") return response.text()
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}

/** The unchanged answer; a failed connection is status 0. */
export const call = (url: string, init: RequestInit = {}): Effect.Effect<Answer> =>
  Effect.promise(() =>
    fetch(url, init).then(
      async (response) => {
        const answer = { status: response.status, headers: response.headers, text: await textOf(response) }
        noteSecretsOf(init, answer)
        return answer
      },
      (error: unknown) => ({ status: 0, headers: new Headers(), text: String(error) })
    )
  )

/** The body of an answer. One that does not match the schema is a defect. */
export const body = <S extends Schema.ConstraintDecoder<unknown>>({ text }: Answer, schema: S) =>
  Effect.orDie(Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(text))

export const postJson = (url: string, value: unknown, key?: string) =>
  call(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(value)
  })

export const getWithKey = (url: string, key: string) => call(url, { headers: { authorization: `Bearer ${key}` } })

const Sent = Schema.Struct({ data: Schema.Struct({ emails: Schema.Array(Schema.Struct({ email: Schema.String })) }) })

/** Sends one email and returns its id. */
export const send = Effect.fnUntraced(function* (
  { url, secretKey }: { readonly url: string; readonly secretKey: string },
  to: string,
  more: Record<string, unknown> = {}
) {
  const mail = { from: "hello@posthorn.test", to, subject: "Hello", body: "<p>It works.</p>", ...more }
  const answer = yield* postJson(`${url}/v1/send`, mail, secretKey)
  if (answer.status !== 200) return yield* Effect.die(new Error(`${answer.status} ${answer.text}`))
  const { data } = yield* body(answer, Sent)
  return data.emails[0]?.email ?? ""
})

const EmailState = Schema.Struct({ status: Schema.String, attempts: Schema.Int })

/** The state of an email. */
export const emailState = Effect.fnUntraced(function* (
  { url, secretKey }: { readonly url: string; readonly secretKey: string },
  id: string
) {
  const answer = yield* getWithKey(`${url}/emails/${id}`, secretKey)
  return answer.status === 200 ? yield* body(answer, EmailState) : { status: `answer ${answer.status}`, attempts: 0 }
})
