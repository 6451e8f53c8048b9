/** Requests at a steady rate, independent of earlier answers, from a separate process. */
import * as http from "node:http"
import { text } from "node:stream/consumers"
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
  fromNetworks: Schema.optionalKey(Schema.Boolean),
  /** Whether each request has a connection of its own, from another address of the loopback network. */
  fromAddresses: Schema.optionalKey(Schema.Boolean)
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

/** Sends the request from the nth address of 127.0.0.0/8. The status is 0 if the server closes the connection instead. */
const postFrom = (n: number, url: string, headers: Readonly<Record<string, string>>, body: string) =>
  new Promise<{ readonly status: number; readonly body: string }>((resolve) => {
    const closed = () => resolve({ status: 0, body: "" })
    const localAddress = `127.${1 + ((n >> 14) & 63)}.${(n >> 7) & 127}.${1 + (n & 127)}`
    const sent = http.request(url, { method: "POST", headers, localAddress, agent: false }, (response) => {
      text(response).then((answered) => resolve({ status: response.statusCode ?? 0, body: answered }), closed)
    })
    sent.on("error", closed)
    sent.end(body)
  })

const post = async (url: string, headers: Readonly<Record<string, string>>, body: string) => {
  const response = await fetch(url, { method: "POST", headers, body })
  return { status: response.status, body: await response.text() }
}

const request = async (
  { body, fromAddresses, fromNetworks, url }: Pick<Question, "body" | "fromAddresses" | "fromNetworks" | "url">,
  project: Readonly<Record<string, string>>
) => {
  const n = sent++
  const number = `${process.pid}-${n}`
  const content = bodyOf(body, project).replaceAll("$n", number)
  const headers = {
    authorization: `Bearer ${project["key"]}`,
    "content-type": "application/json",
    ...(fromNetworks === true && { "x-forwarded-for": `10.${(n >> 8) & 255}.${n & 255}.1` })
  }
  const startedAt = now()
  const to = bodyOf(url, project)
  const answered = await (fromAddresses === true ? postFrom(n, to, headers, content) : post(to, headers, content))
  return { startedAt, took: now() - startedAt, ...answered, number }
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
