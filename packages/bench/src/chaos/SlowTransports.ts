/**
 * The transport of a project hangs, refuses connections, defers or lies, beside the mail of other projects. Its mail
 * waits and arrives once; the others' mail is not delayed.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  type Certificate,
  type Misbehave,
  type Misbehaviour,
  makeCertificate,
  type Stage,
  startSink
} from "@posthorn/mailer-smtp/testing"
import { type Array, Effect, Random, Record, Schema, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { latencyOf } from "../Statistics.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import type { Verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds the order of the faults. */
  readonly seed: string
  readonly faults: number
  /** Of the project with the transport, in each fault. */
  readonly mails: number
  /** Of the other project, in each fault. */
  readonly others: number
  /** How many times longer the mail of others may take, from its acceptance to its delivery, at the 99th percentile. */
  readonly most: number
  /** Milliseconds that it may take in addition: short runs measure few mails. */
  readonly slack: number
}

interface Fault {
  readonly name: string
  /** Each fault keeps its own record of mails. */
  readonly peer: () => Misbehave
  /** Default: the one that workers trust. */
  readonly certificate?: Certificate
}

const pool = 2

const host = "127.0.0.1"

const always =
  (at: Stage, misbehaviour: Misbehaviour): Fault["peer"] =>
  () =>
  ({ stage }) =>
    stage === at ? misbehaviour : undefined

/** Once for each mail: a peer that always says so gets a mail three times, which then rests. */
const onceAtDot =
  (reply: string): Fault["peer"] =>
  () => {
    const met = new Set<string>()
    return ({ rcpt, stage }) => {
      if (stage !== "dot" || met.has(rcpt)) return
      met.add(rcpt)
      return { reply }
    }
  }

const faults: Array.NonEmptyReadonlyArray<Fault> = [
  { name: "hangs at the final dot", peer: always("dot", { delay: 4_000 }) },
  { name: "hangs before the greeting", peer: always("banner", { delay: 20_000 }) },
  { name: "refuses connections", peer: always("connect", { drop: true }) },
  { name: "asks for a mail that it has", peer: onceAtDot("354 Go on") },
  { name: "defers everything", peer: always("rcpt", { reply: "450 4.7.1 Later" }) },
  { name: "has the name of another host", peer: always("accepted", {}), certificate: makeCertificate("other.test") }
]

const Made = Schema.decodeUnknownEffect(Schema.Struct({ id: Schema.String }))
const Count = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

const idOf = (messageId: string) => messageId.slice(0, messageId.indexOf("@"))

const p99 = (values: ReadonlyArray<number>) => latencyOf(values).p99

export const run = Effect.fn("SlowTransports.run")(function* (
  options: Options
): Effect.fn.Return<Verdict, never, Installation | Scope.Scope | SqlClient.SqlClient> {
  const { senders, sink, startApi, startWorker } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [own, other = senders[0]] = senders
  const certificate = makeCertificate(host)
  const file = join(yield* temporaryFolder("transports"), "relay.pem")
  yield* Effect.sync(() => writeFileSync(file, certificate.cert))
  const relay = yield* Effect.acquireRelease(
    Effect.promise(() => startSink({ keepContent: false })),
    (started) => Effect.promise(() => started.close())
  )
  relay.secure(certificate)
  const environment = { NODE_EXTRA_CA_CERTS: file }
  const api = yield* startApi({ environment })
  yield* startWorker({ environment })

  const ask = Effect.fnUntraced(function* (method: "POST" | "PUT", path: string, body: object) {
    const answer = yield* Load.ask(method, `${api.url}${path}`, { key: own.key, body, patience: 60_000 })
    if (answer.status >= 300) {
      return yield* Effect.die(
        new Error(`${method} ${path} was answered ${answer.status} ${JSON.stringify(answer.body)}`)
      )
    }
    return answer.body
  })
  const { id } = yield* Effect.orDie(
    Effect.flatMap(ask("POST", "/transports", { name: "Own", host, port: relay.port, pool }), Made)
  )
  yield* ask("PUT", "/transports/routes", { routes: [{ transportIds: [id], fallbackToServer: false }] })
  yield* Effect.sleep("1200 millis")

  const violations: globalThis.Array<string> = []
  const promise = (sentence: string, isKept: boolean) => void (isKept || violations.push(sentence))
  const accepted = new Set<string>()

  /** Milliseconds from the acceptance of each mail of the other project to its delivery. */
  const ofOthers = Effect.fnUntraced(function* (name: string) {
    const since = new Map<string, number>()
    for (const to of Load.people(name, options.others)) {
      const ids = yield* Load.insist(() => api.url, { project: other, key: to, body: Load.mailTo(other, [to]) })
      for (const mail of ids) {
        since.set(mail, performance.timeOrigin + performance.now())
        accepted.add(mail)
      }
      yield* Effect.sleep("20 millis")
    }
    const arrived = () => sink.mails.filter(({ messageId }) => since.has(idOf(messageId)))
    yield* until(
      "the mail of others",
      Effect.sync(() => arrived().length),
      (count) => count >= since.size
    )
    return arrived().map(({ at, messageId }) => Math.max(0, at - (since.get(idOf(messageId)) ?? at)))
  })

  const held = Effect.orDie(
    Effect.flatMap(
      sql`select count(*)::int as count from emails where status = 'SENDING' and project_id = ${own.id}::uuid`,
      Count
    )
  ).pipe(Effect.map(([{ count }]) => count))

  yield* ofOthers("warm")
  const drawn = yield* Random.withSeed(
    Effect.replicateEffect(Effect.orDie(Random.choice(faults)), Math.max(0, options.faults - faults.length)),
    `transports ${options.seed}`
  )
  // 99th percentiles of few mails differ from run to run, so each fault has its turn with none, and all turns count.
  const alone: globalThis.Array<number> = []
  const meanwhile: { [name: string]: globalThis.Array<number> } = {}
  for (const [number, fault] of [...faults, ...drawn].slice(0, options.faults).entries()) {
    const { name, peer } = fault
    alone.push(...(yield* ofOthers(`alone-${number}`)))
    relay.misbehave(peer())
    relay.secure(fault.certificate ?? certificate)
    const requests = Load.people(`own-${number}`, options.mails).map(
      (to): Load.Request => ({ project: own, key: to, body: Load.mailTo(own, [to]) })
    )
    yield* Load.acceptAll(() => api.url, requests, accepted)
    meanwhile[name] = [...(meanwhile[name] ?? []), ...(yield* ofOthers(`others-${number}`))]
    const count = yield* held
    promise(`The transport ${name}: a worker held ${count} of its mails`, count <= 2 * pool)
    relay.misbehave(undefined)
    relay.secure(certificate)
    // The worker tries a failing transport every minute; a check also finds that it works again.
    const check = Effect.andThen(
      Effect.orDie(sql`update transports set checked_at = null where id = ${id}::uuid`),
      Effect.andThen(ask("POST", `/transports/${id}/verify`, {}), Effect.andThen(Ledger.endWaits, Ledger.unfinished))
    )
    yield* until("the end of all mails", check, (left) => left === 0)
  }

  const before = p99(alone)
  for (const [name, values] of Record.toEntries(meanwhile)) {
    promise(
      `The transport ${name}: mail of others took ${Math.round(p99(values))} ms, alone ${Math.round(before)} ms`,
      p99(values) <= before * options.most + options.slack
    )
  }
  const copies = new Map<string, number>()
  for (const { messageId } of [...sink.mails, ...relay.mails]) {
    copies.set(idOf(messageId), (copies.get(idOf(messageId)) ?? 0) + 1)
  }
  const lost = [...accepted].filter((mail) => !copies.has(mail)).length
  const extra = [...copies.values()].reduce((sum, count) => sum + count - 1, 0)
  const strays = sink.mails.filter(({ from, rcpt }) => rcpt.startsWith("own-") || from === "").length
  promise(`${lost} mails were lost`, lost === 0)
  promise(`${extra} copies were delivered`, extra === 0)
  promise(`${strays} mails were sent by another transport than that of their route`, strays === 0)
  return {
    ...{ accepted: accepted.size, delivered: accepted.size - lost, lost, extra, bound: 0, ambiguous: 0, resting: 0 },
    figures: {
      "p99 of others alone, ms": before,
      ...Record.mapEntries(meanwhile, (values, name) => [`times that when it ${name}`, p99(values) / before])
    },
    violations
  }
})
