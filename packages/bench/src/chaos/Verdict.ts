/** Compares what the peer received with the ledger, after all activity has ended. */
import type { SinkMail } from "@posthorn/mailer-smtp/testing"
import { Effect } from "effect"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"

export interface Verdict {
  /** Emails that were answered with 2xx. */
  readonly accepted: number
  /** Of those, how many the peer received at least once. */
  readonly delivered: number
  readonly lost: number
  /** Copies beyond the first. */
  readonly extra: number
  /** The most copies that are allowed: emails in flight at all kills together. */
  readonly bound: number
  /** Ambiguous attempts in the ledger. */
  readonly ambiguous: number
  /** Emails that stay AMBIGUOUS, after the third such attempt. */
  readonly resting: number
  /** What the scenario measured beside, each named with its unit. */
  readonly figures?: Readonly<Record<string, number>>
  /** One sentence for each broken promise. */
  readonly violations: ReadonlyArray<string>
}

/** The id of the email that a message is: by default the one in its Message-ID. */
export type IdOf = (mail: SinkMail) => string

const idInMessageId: IdOf = ({ messageId }) => messageId.slice(0, messageId.indexOf("@"))

/** Copies of each email that the peer received. */
export const copies = (idOf: IdOf = idInMessageId) =>
  Effect.map(Installation, ({ sink }): ReadonlyMap<string, number> => {
    const found = new Map<string, number>()
    for (const mail of sink.mails) found.set(idOf(mail), (found.get(idOf(mail)) ?? 0) + 1)
    return found
  })

/** Of one email. */
export const copiesOf = (id: string) => Effect.map(copies(), (found) => found.get(id) ?? 0)

const isSent = ({ status }: Ledger.Entry) => status === "SENT"
const ambiguousTries = ({ outcomes }: Ledger.Entry) => outcomes.filter((outcome) => outcome === "ambiguous").length

/** Adds one more promise. */
export const promising = <A extends Verdict>(found: A, sentence: string, isKept: boolean): A =>
  isKept ? found : { ...found, violations: [...found.violations, sentence] }

/** Adds several. Each sentence says how its promise is broken. */
export const promisingAll = <A extends Verdict>(
  found: A,
  promises: ReadonlyArray<readonly [sentence: string, isKept: boolean]>
): A => promises.reduce((so, [sentence, isKept]) => promising(so, sentence, isKept), found)

/**
 * The invariants of the fault matrix. `bound` is the number of emails that were in flight at the kills and at the
 * breaks by the peer, in total. `refusal` says which addresses refuse email, and how that email ends.
 */
export const verdict = Effect.fn("verdict")(function* (
  accepted: ReadonlySet<string>,
  bound: number,
  refusal: (address: string) => "BOUNCED" | "FAILED" | undefined = () => undefined,
  idOf?: IdOf
) {
  const got = yield* copies(idOf)
  const entries = yield* Ledger.entries
  const known = new Set(entries.map(({ id }) => id))
  const count = ({ id }: Ledger.Entry) => got.get(id) ?? 0

  const violations: Array<string> = []
  const noMail = (sentence: string, offenders: Iterable<string>) => {
    const [first, ...others] = offenders
    if (first !== undefined) violations.push(`${others.length + 1} mails ${sentence}, such as ${first}`)
  }
  const none = (sentence: string, isWrong: (entry: Ledger.Entry) => boolean) =>
    noMail(
      sentence,
      entries.filter(isWrong).map((entry) => `${entry.id} (${count(entry)} copies, ${JSON.stringify(entry)})`)
    )

  const refused = new Set(entries.filter(({ to }) => refusal(to) !== undefined).map(({ id }) => id))
  const lost = [...accepted].filter((id) => !got.has(id) && !refused.has(id))
  const extra = entries.reduce((sum, entry) => sum + Math.max(0, count(entry) - 1), 0)
  noMail("were accepted and not delivered", lost)
  noMail(
    "were accepted and are not in the ledger",
    [...accepted].filter((id) => !known.has(id))
  )
  noMail(
    "are in the ledger and were never accepted",
    [...known].filter((id) => !accepted.has(id))
  )
  noMail(
    "arrived at the peer and are not in the ledger",
    [...got.keys()].filter((id) => !known.has(id))
  )
  none("have no final status", (entry) => !isSent(entry) && !entry.rests && !refused.has(entry.id))
  none(
    "were refused permanently, and have another status",
    (entry) => refused.has(entry.id) && (entry.status !== refusal(entry.to) || count(entry) > 0)
  )
  none("are SENT and did not arrive at the peer", (entry) => isSent(entry) && count(entry) === 0)
  none("arrived more often than their ambiguous tries allow", (entry) => count(entry) > 1 + ambiguousTries(entry))
  none("have another number of tries than their log", ({ attempts, outcomes }) => attempts !== outcomes.length)
  none("have not exactly one email.sent event", (entry) => entry.told !== (isSent(entry) ? 1 : 0))
  if (extra > bound) violations.push(`${extra} extra copies, although ${bound} mails were in flight at the kills`)

  return {
    accepted: accepted.size,
    delivered: accepted.size - refused.size - lost.length,
    lost: lost.length,
    extra,
    bound,
    ambiguous: entries.reduce((sum, entry) => sum + ambiguousTries(entry), 0),
    resting: entries.filter(({ rests }) => rests).length,
    violations
  } satisfies Verdict
})
