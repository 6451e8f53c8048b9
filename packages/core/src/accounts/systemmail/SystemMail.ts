/** Emails of the service itself: to the members of projects, and to contacts on behalf of a project. */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { type NextDue, nextDue } from "../../platform/jobs/Agenda.ts"

/** A plain-text email to one person. */
export interface SystemEmail {
  readonly to: string
  readonly subject: string
  readonly body: string
  /** Sealed. A separate paragraph at the end. */
  readonly link?: string
  /** Absent: from the platform. */
  readonly sender?: ProjectSender
}

/**
 * The project that a contact gets an email from. Its address is used while the project has verified the domain, else that
 * of the platform.
 */
export interface ProjectSender {
  readonly project: ProjectId
  readonly email: string | null
  readonly name: string
  readonly replyTo: string | null
}

/** An email with these paragraphs, for any recipient. */
export const systemEmail =
  (subject: string, ...paragraphs: ReadonlyArray<string>) =>
  (to: string): SystemEmail => ({ to, subject, body: paragraphs.join("\n\n") })

/** The recipient is not known yet. */
export type UnaddressedEmail = ReturnType<typeof systemEmail>

export interface PostedEmail extends Omit<SystemEmail, "link" | "sender"> {
  readonly id: string
  readonly link: string | null
  readonly sender: ProjectSender | null
  /** Tries so far, including this one. */
  readonly tries: number
}

/**
 * An outbox: a worker sends a posted email after the transaction that posted it has committed. A service: most areas
 * post to it.
 */
export class SystemMail extends Context.Service<
  SystemMail,
  {
    /** Joins the caller's transaction. */
    readonly post: (emails: ReadonlyArray<SystemEmail>) => Effect.Effect<void>
    /** Claims an email that is due, if there is one. It is due again after `leaseSeconds` unless it is dropped. */
    readonly take: (leaseSeconds: number) => Effect.Effect<PostedEmail | undefined>
    /** When the next email is due. Absent: unknown. */
    readonly nextDue?: NextDue
    readonly drop: (id: string) => Effect.Effect<void>
    /** Drops emails that a project has for this address. Joins the caller's transaction. */
    readonly forget: (project: ProjectId, to: string) => Effect.Effect<void>
  }
>()("@posthorn/core/accounts/systemmail/SystemMail") {}

const emails = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      to: Schema.String,
      subject: Schema.String,
      body: Schema.String,
      link: Schema.NullOr(Schema.String),
      sender: Schema.NullOr(
        Schema.Struct({
          project: ProjectId,
          email: Schema.NullOr(Schema.String),
          name: Schema.String,
          replyTo: Schema.NullOr(Schema.String)
        })
      ),
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
      nextDue: nextDue(sql`select min(due_at) from system_mails`),
      post: Effect.fn("SystemMail.post")(function* (given: ReadonlyArray<SystemEmail>) {
        // Runs also without emails: the duration must not reveal whether an email is sent.
        const now = DateTime.toDate(yield* DateTime.now)
        const rows = yield* Effect.forEach(given, (email) => Effect.map(random.uuidV7(), (id) => ({ ...email, id })))
        yield* sql`
          insert into system_mails (id, recipient, subject, body, link, project_id, from_email, from_name, reply_to,
                                    created_at, due_at)
          select id, "to", subject, body, link, (sender ->> 'project')::uuid, sender ->> 'email', sender ->> 'name',
                 sender ->> 'replyTo', ${now}::timestamptz, ${now}::timestamptz
          from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
            as email(id uuid, "to" text, subject text, body text, link text, sender jsonb)`
      }, Effect.orDie),
      take: Effect.fn("SystemMail.take")(function* (leaseSeconds: number) {
        const now = DateTime.toDate(yield* DateTime.now)
        const [email] = yield* emails(
          yield* sql`
            update system_mails set tries = tries + 1, due_at = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
            where id = (select id from system_mails where due_at <= ${now}::timestamptz order by due_at limit 1
                        for update skip locked)
            returning id, recipient as "to", subject, body, link, tries, case when project_id is not null then
              jsonb_build_object('project', project_id, 'email', from_email, 'name', from_name, 'replyTo', reply_to)
              end as sender`
        )
        return email
      }, Effect.orDie),
      drop: (id) => sql`delete from system_mails where id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
      forget: (project, to) =>
        sql`delete from system_mails where project_id = ${project} and recipient = ${to}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )
    })
  })
)
