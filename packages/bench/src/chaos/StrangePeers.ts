/**
 * The peer is slow, sends invalid replies, or has no trusted TLS, and later works correctly (fault matrix F15, F16).
 */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import {
  type Certificate,
  type Misbehave,
  type Misbehaviour,
  makeCertificate,
  type Stage
} from "@posthorn/mailer-smtp/testing"
import { Array, Effect, Random } from "effect"
import { temporaryFolder } from "../TemporaryFolder.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: requests, and the order of the peers. */
  readonly seed: string
  readonly mails: number
  readonly workers: number
  /** One after another; each kind is repeated when all have been used. */
  readonly peers: number
}

/**
 * The result for an email at such a peer: `taken` at the first attempt, taken `again` at the second, `refused`
 * permanently, `waits` if no connection is possible, or `climbs` a step of the retry ladder.
 */
type Fate = "taken" | "again" | "refused" | "waits" | "climbs"

interface Kind {
  readonly name: string
  readonly fate: Fate
  /** Each peer keeps its own record of clients. */
  readonly peer?: () => Misbehave
  /** The peer accepts the email but the sender cannot know, so the second attempt is a copy. */
  readonly hasIt?: boolean
  /** Default: the one that workers trust; null: none. */
  readonly certificate?: Certificate | null
}

const host = "127.0.0.1"
const trusted = makeCertificate(host)

const saying =
  (says: { readonly [stage in Stage]?: Misbehaviour }): NonNullable<Kind["peer"]> =>
  () =>
  ({ stage }) =>
    says[stage]

/** Once for each email. */
const sayingOnce =
  (at: Stage, reply: string): NonNullable<Kind["peer"]> =>
  () => {
    const met = new Set<string>()
    return ({ rcpt, stage }) => {
      if (stage !== at || met.has(rcpt)) return
      met.add(rcpt)
      return { reply }
    }
  }

/** Replaces the text of the replies to commands. */
const answers = (text: (code: number) => string) =>
  saying({
    mail: { reply: text(250) },
    rcpt: { reply: text(250) },
    data: { reply: text(354) },
    dot: { reply: text(250) }
  })

const drip = { drip: 1 }
const extensions = Array.makeBy(200, (n) => `250-X-EXTENSION-${n} ${"parameter ".repeat(10)}`)

const kinds: Array.NonEmptyReadonlyArray<Kind> = [
  {
    name: "speaks byte by byte",
    fate: "taken",
    peer: saying({ banner: drip, ehlo: drip, mail: drip, rcpt: drip, data: drip, dot: drip })
  },
  {
    name: "answers in many lines",
    fate: "taken",
    peer: answers((code) => `${code}-Well\r\n${code}-then\r\n${code} Ok`)
  },
  { name: "ends lines with LF alone", fate: "taken", peer: answers((code) => `${code}-Well\n${code} Ok`) },
  { name: "answers in lines of 20 KB", fate: "taken", peer: answers((code) => `${code} ${"o".repeat(20_000)}k`) },
  { name: "answers with codes alone", fate: "taken", peer: answers(String) },
  {
    name: "accepts with unusual codes",
    fate: "taken",
    peer: saying({
      mail: { reply: "259 Fine" },
      rcpt: { reply: "251 2.1.5 Will forward" },
      data: { reply: "250 Go on" },
      dot: { reply: "200 Done" }
    })
  },
  {
    name: "has a long greeting and many extensions",
    fate: "taken",
    peer: saying({
      banner: { reply: "220-Welcome\r\n220-here\r\n220 ESMTP" },
      ehlo: { reply: ["250-sink.test", ...extensions, "250 STARTTLS"].join("\r\n") }
    })
  },
  { name: "sends an invalid greeting", fate: "waits", peer: saying({ banner: { reply: "HTTP/1.1 400 Bad Request" } }) },
  { name: "sends an endless greeting", fate: "waits", peer: saying({ banner: { reply: "x".repeat(4_000_000) } }) },
  { name: "greets with 554", fate: "waits", peer: saying({ banner: { reply: "554 5.7.1 Go away" } }) },
  { name: "disconnects instead of a greeting", fate: "waits", peer: saying({ banner: { drop: true } }) },
  { name: "sends an invalid reply to EHLO", fate: "waits", peer: saying({ ehlo: { reply: "what?" } }) },
  { name: "has no STARTTLS", fate: "waits", certificate: null },
  { name: "has an untrusted certificate", fate: "waits", certificate: makeCertificate(host) },
  { name: "has the certificate of another host", fate: "waits", certificate: makeCertificate("other.test") },
  { name: "defers with an unusual code", fate: "climbs", peer: saying({ rcpt: { reply: "499 Not today" } }) },
  { name: "sends an invalid reply to RCPT", fate: "again", peer: sayingOnce("rcpt", "what?") },
  { name: "answers RCPT out of range", fate: "again", peer: sayingOnce("rcpt", "650 What?") },
  { name: "answers RCPT twice", fate: "again", hasIt: true, peer: sayingOnce("rcpt", "250 2.1.5 Ok\r\n250 2.1.5 Ok") },
  { name: "sends an invalid reply to DATA", fate: "again", peer: sayingOnce("data", "\0\x1b[2J") },
  { name: "sends an invalid reply to the mail", fate: "again", peer: sayingOnce("dot", "hmm") },
  { name: "asks for the mail that it has", fate: "again", peer: sayingOnce("dot", "354 Go on") },
  {
    name: "sends an endless reply to the mail",
    fate: "again",
    hasIt: true,
    peer: sayingOnce("dot", `250-${"x".repeat(4_000_000)}`)
  },
  { name: "refuses with an unusual code", fate: "refused", peer: saying({ rcpt: { reply: "599 Never heard of" } }) }
]

/** Sessions with the previous peer end when they are used. */
const renewed =
  (met: number, peer: Misbehave): Misbehave =>
  (moment) =>
    moment.stage === "mail" && moment.connection <= met ? { drop: true } : peer(moment)

const refusal = (address: string) => (address.startsWith("refused-") ? "FAILED" : undefined)

/** The expected state of an email before the peer works correctly. */
const isAsItShould = (fate: Fate, { attempts, ladderStep, outcomes, status }: Ledger.Entry): boolean => {
  switch (fate) {
    case "taken":
      return status === "SENT" && outcomes.join() === "accepted"
    case "again":
      return status === "SENT" && attempts === 2
    case "refused":
      return status === "FAILED" && outcomes.join() === "rejected"
    case "waits":
      return ["PENDING", "SENDING"].includes(status) && ladderStep === 0
    case "climbs":
      return status === "PENDING" && ladderStep === 1
  }
}

/** Connections to a peer that refuses all, after which it has been tried often enough. */
const looks = 3

/**
 * Returns the verdict: each email has the expected result of its peer, nothing is sent over an unencrypted or untrusted
 * connection, and every email ends.
 */
export const meet = Effect.fn("StrangePeers.meet")(function* (options: Options) {
  const { api, senders, sink, smtpUrl, startWorker } = yield* Installation
  const authority = join(yield* temporaryFolder("authority"), "authority.pem")
  yield* Effect.promise(() => writeFile(authority, trusted.cert))
  const worker = startWorker({ smtpUrl: smtpUrl({ tls: "required" }), environment: { NODE_EXTRA_CA_CERTS: authority } })
  yield* Effect.replicateEffect(worker, options.workers)
  const rounds = Effect.replicateEffect(Random.shuffle(kinds), Math.ceil(options.peers / kinds.length))
  const drawn = (yield* Random.withSeed(rounds, `peers ${options.seed}`)).flat().slice(0, options.peers)
  const accepted = new Set<string>()
  const strange: globalThis.Array<string> = []
  let bound = 0
  for (const [number, { certificate = trusted, fate, hasIt = false, name, peer }] of drawn.entries()) {
    const met = sink.connections()
    sink.secure(certificate ?? undefined)
    sink.misbehave(renewed(met, peer?.() ?? (() => undefined)))
    const prefix = `${fate}-${options.seed}-${number}`
    const plan = Load.plan(senders, Math.ceil(options.mails / options.peers), prefix)
    const requests = yield* Random.withSeed(plan, `mails ${options.seed}-${number}`)
    yield* Load.acceptAll(() => api.url, requests, accepted)

    const mine = Effect.map(Ledger.entries, (all) => all.filter(({ to }) => to.startsWith(`${prefix}-`)))
    const otherwise = Effect.map(mine, (all) => all.filter((entry) => !isAsItShould(fate, entry)))
    yield* fate === "waits"
      ? until(`a connection to a peer that ${name}`, Effect.sync(sink.connections), (count) => count >= met + looks)
      : until(
          `the result of mails for a peer that ${name}`,
          // The second attempt is made due at once. An email that took a step of the ladder must not take another.
          fate === "again" ? Effect.andThen(Ledger.endWaits, otherwise) : otherwise,
          ({ length }) => length === 0
        )
    const [wrong] = yield* otherwise
    if (wrong !== undefined) strange.push(`A peer that ${name} made ${JSON.stringify(wrong)}`)
    if (hasIt) bound += (yield* mine).length
    sink.secure(trusted)
    sink.misbehave(undefined)
    yield* until("the end of all mails", Effect.andThen(Ledger.endWaits, Ledger.unfinished), (count) => count === 0)
  }

  const found = { peers: drawn.map(({ name }) => name), ...(yield* verdict(accepted, bound, refusal)) }
  const inClear = sink.mails.filter(({ isEncrypted }) => !isEncrypted).length
  return promisingAll(found, [
    ...strange.map((sentence) => [sentence, false] as const),
    [`${inClear} mails were sent without encryption`, inClear === 0] as const
  ])
})
