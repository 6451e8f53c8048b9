/** Runs that several rows share. */
import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as RawTransactions from "../baselines/RawTransactions.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import { memoryOf, withCpuOf } from "../machine/ProcessTimes.ts"
import type { Child } from "../processes/Child.ts"
import type { Run, Sample } from "../Row.ts"

/** Connections of every load. */
export const connections = 32

const each = (cpuMillis: number | undefined, items: number) => (cpuMillis === undefined ? undefined : cpuMillis / items)

type Requests = Omit<HttpLoad.Question, "connections" | "seconds">

/** Any answer but the expected one fails the run. */
const loaded =
  (
    server: { readonly pid: number },
    load: Child,
    question: Requests,
    connections: number,
    value: (answer: typeof HttpLoad.Answer.Type) => number,
    items = 1
  ): Run =>
  ({ seconds }) =>
    Effect.gen(function* () {
      const asked = load.ask({ ...question, connections, seconds }, HttpLoad.Answer)
      const { result, cpuMillis } = yield* withCpuOf(server.pid, asked)
      const others = Object.entries(result.others).map(([status, count]) => `${count} of ${status}`)
      if (others.length > 0) {
        const message = `${question.method} ${question.path}: answers other than ${question.status}: ${others.join(", ")}`
        return yield* new BenchFailure({ message })
      }
      return {
        value: value(result),
        latency: result.latency,
        cpuMillisPerItem: each(cpuMillis, items * result.requests),
        ...(yield* memoryOf(server.pid))
      } satisfies Sample
    })

/** Requests to a server for the given effort. */
export const requests = (server: { readonly pid: number }, load: Child, question: Requests): Run =>
  loaded(server, load, question, connections, (answer) => answer.requests / answer.seconds)

/** The same for requests with several items each, on a given number of connections; the figure counts the items. */
export const itemRequests = (
  server: { readonly pid: number },
  load: Child,
  question: Requests,
  { connections, items }: { readonly connections: number; readonly items: number }
): Run => loaded(server, load, question, connections, (answer) => (items * answer.requests) / answer.seconds, items)

/** Requests to a server for the given effort; the figure is the 95th percentile of their times. */
export const slowRequests = (server: { readonly pid: number }, load: Child, question: Requests): Run =>
  loaded(server, load, question, connections, (answer) => answer.latency.p95)

/** One request after another; the figure is the median latency. */
export const latency = (server: { readonly pid: number }, load: Child, question: Requests): Run =>
  loaded(server, load, question, 1, (answer) => answer.latency.p50)

/** The same statements one after another in rounds; the figure is the median of a round. */
export const statements =
  (raw: Child, given: ReadonlyArray<string>): Run =>
  ({ seconds }) =>
    Effect.gen(function* () {
      const asked = raw.ask({ statements: given, seconds }, RawStatements.Answer)
      const { result, cpuMillis } = yield* withCpuOf(raw.pid, asked)
      return {
        value: result.latency.p50,
        latency: result.latency,
        cpuMillisPerItem: each(cpuMillis, result.rounds)
      } satisfies Sample
    })

/** Transactions for the given effort; the figure counts their items. */
export const transactions =
  (raw: Child, question: Omit<typeof RawTransactions.Question.Type, "seconds">): Run =>
  ({ seconds }) =>
    Effect.gen(function* () {
      const { result, cpuMillis } = yield* withCpuOf(raw.pid, raw.ask({ ...question, seconds }, RawTransactions.Answer))
      const items = result.transactions * (question.items ?? 1)
      return {
        value: items / result.seconds,
        latency: result.latency,
        cpuMillisPerItem: each(cpuMillis, items)
      } satisfies Sample
    })
