/** Clients that send requests in batches, and repeat a batch unchanged until each of its items is accepted. */
import { Array, Effect, Schema } from "effect"
import * as Load from "./Load.ts"

const atOnce = 20

const Mails = Schema.Array(Schema.Struct({ email: Schema.String }))
const Answer = Schema.decodeUnknownEffect(
  Schema.Struct({
    data: Schema.Struct({
      results: Schema.Array(
        Schema.Struct({
          emails: Schema.optionalKey(Mails),
          error: Schema.optionalKey(Schema.Struct({ code: Schema.String }))
        })
      )
    })
  })
)

/** No answer, a key that a dead process holds, a limit, or no room. */
const isWorthRepeating = ({ status }: Load.Answer) => [0, 409, 429, 503].includes(status)

const insist = Effect.fnUntraced(function* (
  url: () => string,
  requests: Array.NonEmptyReadonlyArray<Load.Request>,
  atomic: boolean,
  patience?: Load.Patience
) {
  const emails = requests.map(({ body, key }) => ({ ...body, idempotencyKey: key }))
  const [{ project }] = requests
  for (;;) {
    const answer = yield* Load.ask("POST", `${url()}/v1/batch`, {
      ...{ key: project.key, body: { emails, atomic }, mode: "replay" as const },
      ...patience
    })
    if (answer.status === 200) {
      const { results } = (yield* Effect.orDie(Answer(answer.body))).data
      const refused = results.flatMap(({ error }) => error?.code ?? [])
      if (refused.length === 0) return results.flatMap(({ emails = [] }) => emails.map(({ email }) => email))
      if (refused.some((code) => code !== "IDEMPOTENCY_KEY_REUSED")) {
        return yield* Effect.die(new Error(`Items were refused: ${refused.join(", ")}`))
      }
    } else if (!isWorthRepeating(answer)) {
      return yield* Effect.die(new Error(`A batch was answered ${answer.status} ${JSON.stringify(answer.body)}`))
    }
    yield* Effect.sleep("250 millis")
  }
})

/** Each batch is of one project. Every other one is atomic. */
export const accept: Load.Accept = (url, requests, accepted, patience) => {
  const byProject = Object.values(Array.groupBy(requests, ({ project }) => project.id))
  const batches = byProject.flatMap((of) => Array.chunksOf(of, atOnce))
  return Effect.forEach(
    batches,
    (batch, n) =>
      Effect.map(insist(url, batch, n % 2 === 0, patience), (ids) => {
        for (const id of ids) accepted.add(id)
      }),
    { concurrency: 8, discard: true }
  )
}
