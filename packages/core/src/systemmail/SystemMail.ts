/** Mail of the service itself, to the people who run projects (contract-2 13, 22). */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"

/** Plain text to one person. */
export interface Letter {
  readonly to: string
  readonly subject: string
  readonly body: string
  /** Sealed, in a paragraph of its own at the end. */
  readonly link?: string
}

export interface PostedLetter extends Omit<Letter, "link"> {
  readonly id: string
  readonly link: string | null
  /** Tries so far, this one included. */
  readonly tries: number
}

/** An outbox: what is posted leaves when the transaction of its cause has committed, and a worker runs. */
export class SystemMail extends Context.Service<
  SystemMail,
  {
    /** Joins the caller's transaction. */
    readonly post: (letters: ReadonlyArray<Letter>) => Effect.Effect<void>
    /** Takes a letter that is due, if there is one; it is due again after `lease`, unless it is dropped before. */
    readonly take: (leaseSeconds: number) => Effect.Effect<PostedLetter | undefined>
    readonly drop: (id: string) => Effect.Effect<void>
  }
>()("@posthorn/core/systemmail/SystemMail") {}

const letters = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      to: Schema.String,
      subject: Schema.String,
      body: Schema.String,
      link: Schema.NullOr(Schema.String),
      tries: Schema.Int
    })
  )
)

export const layerSql: Layer.Layer<SystemMail, never, SecureRandom.SecureRandom | SqlClient.SqlClient> = Layer.effect(
  SystemMail,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const random = yield* SecureRandom.SecureRandom

    return SystemMail.of({
      post: Effect.fn("SystemMail.post")(function* (given: ReadonlyArray<Letter>) {
        // The statement runs for no letters too: the time it takes must not tell whether somebody is sent one.
        const now = DateTime.toDate(yield* DateTime.now)
        const rows = yield* Effect.forEach(given, (letter) => Effect.map(random.uuidV7(), (id) => ({ ...letter, id })))
        yield* sql`
          insert into system_mails (id, recipient, subject, body, link, created_at, due_at)
          select id, "to", subject, body, link, ${now}::timestamptz, ${now}::timestamptz
          from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
            as letter(id uuid, "to" text, subject text, body text, link text)`
      }, Effect.orDie),
      take: Effect.fn("SystemMail.take")(function* (leaseSeconds: number) {
        const now = DateTime.toDate(yield* DateTime.now)
        const [letter] = yield* letters(
          yield* sql`
            update system_mails set tries = tries + 1, due_at = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
            where id = (select id from system_mails where due_at <= ${now}::timestamptz order by due_at limit 1
                        for update skip locked)
            returning id, recipient as "to", subject, body, link, tries`
        )
        return letter
      }, Effect.orDie),
      drop: (id) => sql`delete from system_mails where id = ${id}`.pipe(Effect.asVoid, Effect.orDie)
    })
  })
)
