/** Delays that are reported after the hand-over: several of them within minutes are a signal. */

import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { Provider } from "@posthorn/contract/mail/emails/Provider"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { nilId } from "@posthorn/contract/platform/Primitives"
import { Clock, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as ProviderRows from "../recipients/ProviderRows.ts"
import type { Reply } from "../sending/Replies.ts"
import { signalOf, withoutAddresses } from "./ShapingSignal.ts"
import * as ShapingSql from "./ShapingSql.ts"
import { installation, type ShapedKey } from "./ShapingState.ts"

export interface DelayedMail {
  readonly id: EmailId
  readonly projectId: ProjectId
  readonly provider: Provider | null
}

/** So many reports within this time are a signal. */
const enough = 5
const within = Duration.minutes(10)

const attempts = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ transport: Schema.NullOr(Schema.String), transportId: Schema.NullOr(Schema.String) }))
)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const list = yield* ProviderRows.make

  /** Does nothing for a text that is not known to ask for less mail. Never fails. */
  const note = (mail: DelayedMail, reply: Reply): Effect.Effect<void> => {
    const { provider } = mail
    const signal = provider === null ? undefined : signalOf(provider, reply, false)
    if (signal === undefined || provider === null) return Effect.void
    return Effect.gen(function* () {
      const [attempt] = yield* attempts(
        yield* sql`
          select transport, transport_id as "transportId" from email_attempts
          where project_id = ${mail.projectId} and email_id = ${mail.id} order by number desc limit 1`
      )
      const of: ShapedKey = {
        key: provider,
        transport: attempt?.transportId ?? attempt?.transport ?? "smtp1",
        project: attempt?.transportId == null ? installation : mail.projectId
      }
      const now = yield* Clock.currentTimeMillis
      const own = sql`key = ${of.key} and transport = ${of.transport} and project_id = ${of.project}::uuid`
      yield* sql`delete from shaping_reports where at < ${new Date(now - Duration.toMillis(within))}`
      yield* sql`
        insert into shaping_reports (key, transport, project_id, at)
        values (${of.key}, ${of.transport}, ${of.project}::uuid, ${new Date(now)})`
      const found = yield* sql`select from shaping_reports where ${own} limit ${enough}`
      if (found.length < enough) return
      yield* sql`delete from shaping_reports where ${own}`
      const row = (yield* list).row(provider)
      yield* ShapingSql.raise(
        sql,
        {
          of,
          signal,
          queue: row?.queue,
          reason: {
            code: reply.code ?? null,
            enhancedCode: reply.enhancedCode ?? null,
            reply: withoutAddresses(reply.reply),
            at: new Date(now).toISOString()
          },
          refused: mail.projectId,
          worker: nilId,
          traffic: { sentLastMinute: 0, inUse: 0 },
          maxConnections: row?.maxConnections ?? null
        },
        now
      )
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("A reported delay could not be stored", cause)))
  }

  return { note }
})
