/** Requests at a steady rate, independent of earlier answers, from a separate process. */
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type Effect, Schema } from "effect"
import { answer } from "../processes/Answering.ts"
import * as Child from "../processes/Child.ts"
import { bodyOf } from "./HttpLoad.ts"

export const Question = Schema.Struct({
  url: Schema.String,
  body: Schema.String,
  projects: Schema.NonEmptyArray(Schema.Record(Schema.String, Schema.String)),
  perSecond: Schema.Finite,
  seconds: Schema.Finite,
  /** Whether each request comes from another network, as its `x-forwarded-for` says. */
  fromNetworks: Schema.optionalKey(Schema.Boolean)
})
type Question = typeof Question.Type

/** For each request: its start as a Unix time in milliseconds, its duration in milliseconds, and its answer. */
export const Answer = Schema.Struct({
  requests: Schema.Array(
    Schema.Struct({
      startedAt: Schema.Finite,
      took: Schema.Finite,
      status: Schema.Int,
      body: Schema.String,
      /** What took the place of `$n`. */
      number: Schema.String
    })
  )
})

let sent = 0

const now = () => performance.timeOrigin + performance.now()

const request = async (
  { body, fromNetworks, url }: Pick<Question, "body" | "fromNetworks" | "url">,
  project: Readonly<Record<string, string>>
) => {
  const n = sent++
  const number = `${process.pid}-${n}`
  const text = bodyOf(body, project).replaceAll("$n", number)
  const headers = {
    authorization: `Bearer ${project["key"]}`,
    "content-type": "application/json",
    ...(fromNetworks === true && { "x-forwarded-for": `10.${(n >> 8) & 255}.${n & 255}.1` })
  }
  const startedAt = now()
  const response = await fetch(bodyOf(url, project), { method: "POST", headers, body: text })
  const answered = await response.text()
  return { startedAt, took: now() - startedAt, status: response.status, body: answered, number }
}

const run = async ({ perSecond, projects, seconds, ...what }: Question) => {
  const count = Math.round(perSecond * seconds)
  const begin = now()
  const running: Array<ReturnType<typeof request>> = []
  for (let n = 0; n < count; n++) {
    const wait = begin + (n * 1000) / perSecond - now()
    if (wait > 0) await sleep(wait)
    running.push(request(what, projects[n % projects.length] ?? projects[0]))
  }
  return { requests: await Promise.all(running) } satisfies typeof Answer.Type
}

export const start = Child.start({ name: "paced load", argv: [fileURLToPath(import.meta.url)], answers: true })
export type PacedLoad = Effect.Success<typeof start>

if (import.meta.main) answer(Question, run)
