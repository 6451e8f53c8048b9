/**
 * As many requests as a number of connections can send, from a separate process (autocannon).
 *
 * The projects take turns. In body and path, `$name` is replaced by the project's value of that name. In the body, `$n`
 * is replaced by a number that is unique in the process.
 */
import { fileURLToPath } from "node:url"
import autocannon from "autocannon"
import { Schema } from "effect"
import { answer } from "../processes/Answering.ts"
import * as Child from "../processes/Child.ts"
import { latencyOf } from "../Statistics.ts"

/** NaN if nothing was timed. */
const Millis = Schema.Number

export const Question = Schema.Struct({
  url: Schema.String,
  method: Schema.Literals(["GET", "PATCH", "POST"]),
  path: Schema.String,
  body: Schema.optionalKey(Schema.String),
  /** `key` is the key that the endpoint takes; `user-agent`, `content-type` and `x-forwarded-for` are sent unchanged. */
  projects: Schema.NonEmptyArray(Schema.Record(Schema.String, Schema.String)),
  connections: Schema.Int,
  seconds: Schema.Finite,
  /** Any other status is a failure. */
  status: Schema.Int
})
export type Question = typeof Question.Type

export const Answer = Schema.Struct({
  requests: Schema.Int,
  seconds: Schema.Finite,
  latency: Schema.Struct({ p50: Millis, p95: Millis, p99: Millis }),
  /** Answers with another status, by status; `error` for broken connections. */
  others: Schema.Record(Schema.String, Schema.Int)
})

/** The part of a body or a path that is the same for all requests. */
export const bodyOf = (body: string, project: Readonly<Record<string, string>>): string =>
  body.replace(/\$(\w+)/g, (whole, name: string) => project[name] ?? whole)

/** Headers that a project may have. */
const passed = ["user-agent", "content-type", "x-forwarded-for"] as const

let sent = 0

const run = ({ body, connections, method, path, projects, seconds, status, url }: Question) =>
  new Promise<typeof Answer.Type>((done, failed) => {
    const requests = projects.map((project) => ({
      path: bodyOf(path, project),
      headers: {
        authorization: `Bearer ${project["key"]}`,
        "content-type": "application/json",
        ...Object.fromEntries(passed.flatMap((name) => (project[name] === undefined ? [] : [[name, project[name]]])))
      },
      body: body === undefined ? undefined : bodyOf(body, project)
    }))
    const next = (request: autocannon.Request): autocannon.Request => {
      const n = sent++
      const { headers, body, path } = requests[n % requests.length] ?? {}
      return {
        ...request,
        path,
        headers,
        ...(body !== undefined && { body: body.replaceAll("$n", `${process.pid}-${n}`) })
      }
    }
    const millis: Array<number> = []
    const others: Record<string, number> = {}
    const load = autocannon(
      { url, connections, duration: seconds, requests: [{ method, path, setupRequest: next }] },
      (error, { duration }) =>
        error ? failed(error) : done({ requests: millis.length, seconds: duration, latency: latencyOf(millis), others })
    )
    const count = (what: string) => {
      others[what] = (others[what] ?? 0) + 1
    }
    load.on("response", (_client, code, _bytes, took) => {
      if (code === status) millis.push(took)
      else count(String(code))
    })
    load.on("reqError", () => count("error"))
  })

/** The process that sends the load. */
export const start = Child.start({
  name: "load generator",
  argv: [fileURLToPath(import.meta.url)],
  answers: true
})

if (import.meta.main) answer(Question, run)
