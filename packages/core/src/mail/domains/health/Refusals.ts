/** Remembers that a mailbox provider refused mail because its sender domain does not prove itself. */
import type { Provider } from "@posthorn/contract/mail/emails/Provider"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { Clock, DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { deleteInBatches } from "../../../platform/Batches.ts"
import { knownReply, lineOf } from "../../sending/KnownReplies.ts"
import type { Reply } from "../../sending/Replies.ts"

export interface RefusedMail {
  readonly projectId: ProjectId
  readonly from: string
  readonly provider: Provider | null
}

/** How long a process does not store the same kind of reply again: many mails fail together. */
const apart = Duration.seconds(30)
const maxKinds = 10_000
export const keptFor = Duration.days(30)

/** Without addresses: the reply is shown, and outlives its mail. */
const withoutAddresses = (text: string): string =>
  text
    .slice(0, 1_000)
    .split(" ")
    .map((word) => (word.includes("@") || /^[^\w]*\d{1,3}(?:\.\d{1,3}){3}\b/.test(word) ? "..." : word))
    .join(" ")
    .replaceAll("\0", " ")
    .toWellFormed()

const enhancedCode = /^\d{3} (\S+)/

/** The reply to store. Undefined if it is about something else. */
const refusalIn = (provider: Provider | null, reply: Reply) => {
  const known = knownReply(provider, reply)
  if (provider === null || known?.action.kind !== "authentication") return undefined
  const line = lineOf(reply)
  return { provider, enhancedCode: enhancedCode.exec(line)?.[1] ?? "-", reply: withoutAddresses(line) }
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const stored = new Map<string, number>()

  /** Does nothing for a reply about something else. */
  const note = (mail: RefusedMail, reply: Reply): Effect.Effect<void> => {
    const found = refusalIn(mail.provider, reply)
    if (found === undefined) return Effect.void
    return Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const domain = domainOf(mail.from).toLowerCase()
      const kind = [mail.projectId, domain, found.provider, found.enhancedCode].join(" ")
      if (now < (stored.get(kind) ?? 0)) return
      if (stored.size >= maxKinds) stored.clear()
      stored.set(kind, now + Duration.toMillis(apart))
      yield* sql`
        insert into domain_refusals as held (project_id, domain, provider, enhanced_code, reply, count, last_at)
        values (${mail.projectId}, ${domain}, ${found.provider}, ${found.enhancedCode}, ${found.reply}, 1,
                ${new Date(now)})
        on conflict (project_id, domain, provider, enhanced_code)
        do update set reply = excluded.reply, count = held.count + 1, last_at = greatest(held.last_at, excluded.last_at)`
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("A refusal of a provider could not be stored", cause)))
  }

  return { note }
})

/** Deletes refusals that are too old for any check. */
export const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = DateTime.subtractDuration(yield* DateTime.now, keptFor)
  yield* deleteInBatches(sql, "domain_refusals", sql`last_at < ${DateTime.toDate(before)}`)
}).pipe(Effect.orDie)
