/** DNS servers fail, do not answer, and recover while a verified domain is checked repeatedly (fault matrix F29). */

import { Domain } from "@posthorn/contract/mail/domains/Domain"
import { publish, type ZoneName } from "@posthorn/core/mail/domains/DnsResolverMemory"
import * as DnsStub from "@posthorn/platform-node/testing/DnsStub"
import { Array, Effect, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: how the servers fail, and when they report missing records. */
  readonly seed: string
  readonly flaps: number
}

const name = "flapping.example"

/** The timeout of a silent server takes seconds, so silence is rare. */
const troubles: Array.NonEmptyReadonlyArray<NonNullable<ZoneName["trouble"]>> = [
  ...Array.replicate("server_failure" as const, 10),
  ...Array.replicate("refused" as const, 9),
  "timeout"
]

const drawFlap = Effect.all({ trouble: Effect.orDie(Random.choice(troubles)), isGone: Random.nextBoolean })

const decode = Schema.decodeUnknownEffect(Domain)

/**
 * Returns the verdict: failed lookups and two negative answers do not unverify the domain, and emails are sent
 * meanwhile; three negative answers unverify it.
 */
export const flaps = Effect.fn("FlappingDns.flaps")(function* (options: Options) {
  const { senders, startApi, startWorker } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [{ id: projectId, key }] = senders
  const dns = yield* DnsStub.dnsStub()
  const environment = { POSTHORN_DNS_SERVERS: dns.address }
  const api = yield* startApi({ environment })
  yield* startWorker({ environment })
  const drawn = yield* Random.withSeed(Effect.replicateEffect(drawFlap, options.flaps), `flaps ${options.seed}`)

  const domain = Effect.fnUntraced(function* (method: "GET" | "POST", path: string, body?: object) {
    const { body: answered, status } = yield* Load.ask(method, `${api.url}${path}`, { key, body, patience: 60_000 })
    if (status >= 300) return yield* Effect.die(new Error(`${method} ${path} was answered ${status}`))
    return yield* Effect.orDie(decode(answered))
  })
  const { id, records } = yield* domain("POST", "/domains", { domain: name, projectId })

  /** Skips the seconds in which a check is not repeated. */
  const check = Effect.andThen(
    Effect.orDie(sql`update domains set last_checked_at = null where id = ${id}::uuid`),
    Effect.suspend(() => domain("GET", `/domains/${id}/verify`))
  )
  const accepted = new Set<string>()
  const send = (number: number) => {
    const body = { from: `hello@${name}`, to: `flap-${number}@example.com`, subject: "Hello", body: "<p>Hello</p>" }
    return Load.post(api.url, { project: senders[0], body })
  }
  const there = () => {
    dns.zone.clear()
    publish(dns.zone, records)
  }
  const troubled = (trouble: NonNullable<ZoneName["trouble"]>) => {
    there()
    for (const [at, entry] of dns.zone) dns.zone.set(at, { ...entry, trouble })
  }

  there()
  yield* until("the domain to be verified", check, ({ verified }) => verified)
  // It would answer for one of the checks below. The next one is due in five minutes.
  yield* until(
    "the first periodic check",
    Effect.orDie(sql`select from periodic_jobs where name = 'domain-check' and last_success_at is not null`),
    (rows) => rows.length === 1
  )
  let isKept = true
  let isTold = true
  let isSendable = true
  for (const [number, { isGone, trouble }] of drawn.entries()) {
    // At most two negative answers in a row, whatever comes between them.
    for (const _ of isGone ? [1, 2] : [1]) {
      if (isGone) dns.zone.clear()
      isKept &&= (yield* check).verified
      troubled(trouble)
      const { lastError, verified } = yield* check
      isKept &&= verified
      isTold &&= lastError !== null
    }
    const answer = yield* send(number)
    isSendable &&= answer.status === 200
    if (answer.status === 200) for (const mail of yield* Load.mailsOf(answer)) accepted.add(mail)
    there()
    // On a busy machine, a good answer may also come too late.
    yield* until(
      "a check that finds all",
      check,
      ({ failedChecks, lastError }) => failedChecks === 0 && lastError === null
    )
  }
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)

  dns.zone.clear()
  const afterwards = yield* Effect.replicateEffect(check, 3)
  const isRefused = (yield* send(drawn.length)).status === 403
  return promisingAll(yield* verdict(accepted, 0), [
    ["A domain lost its verification without three negative answers in a row", isKept],
    ["A check without a result has no reason", isTold],
    ["No mail was taken from a domain that is verified", isSendable],
    ["Three negative answers did not end a verification", afterwards.at(-1)?.verified === false && isRefused]
  ])
})
