/**
 * The statement that writes accepted mail, for one request or for several.
 *
 * Requests share a statement if each has at most one recipient, of whom nothing but data changes, and is small. A
 * contact that is locked or was changed meanwhile keeps only its own request back.
 */
import { type DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { orRefused } from "../../audience/contacts/ContactConstraints.ts"
import type { ExpectedUpsert } from "../../audience/contacts/ContactInput.ts"
import { expectedUpsertParts, keyOf, mayMix } from "../../audience/contacts/ContactUpsertSql.ts"
import { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import * as SharedStatement from "../../platform/SharedStatement.ts"
import { acceptedMails, acceptParts, type MailPart } from "../ledger/AcceptSql.ts"
import type { Accepted } from "../ledger/Ledger.ts"

/** The rows of one request. */
interface MailRequest extends MailPart {
  readonly recipients: ReadonlyArray<ExpectedUpsert>
  readonly now: DateTime.Utc
}

const sizeOf = ({ mail, recipients }: MailRequest) =>
  mail.contents.reduce(
    (sum, { html, text }) => sum + (html?.length ?? 0) + (text?.length ?? 0),
    JSON.stringify(recipients).length
  )

const mayShare = (request: MailRequest) =>
  request.recipients.length <= 1 &&
  request.recipients.every(mayMix) &&
  request.mail.attachments.length === 0 &&
  (request.mail.groups ?? []).length === 0

const contactOf = ({ project, recipients: [contact] }: MailRequest) => contact && keyOf({ project, contact })

/** Returns the effect that writes the rows of a request. None if a contact changed since it was read; then it wrote no mail. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const suppressed = yield* SuppressedAddress

  const run = (requests: ReadonlyArray<MailRequest>) => {
    const now = SharedStatement.latest(requests)
    const contacts = requests.flatMap(({ project, recipients }, part) =>
      recipients.map((contact) => ({ project, contact: { ...contact, part } }))
    )
    const withContacts = sql`
      ${expectedUpsertParts(sql, contacts, now, { skipsLocked: requests.length > 1 })},
      missed as materialized (
        select (contact ->> 'part')::int as part from given_contacts
        where (project_id, email) not in (select "projectId", email from touched)
      ),`
    const isComplete = contacts.length === 0 ? sql`true` : sql`part not in (select missed.part from missed)`
    return sql`
      with ${contacts.length === 0 ? sql`` : withContacts}
      ${acceptParts(sql, suppressed, requests, now, isComplete)}
      select id, reason from accepted`.pipe(
      Effect.flatMap(acceptedMails),
      Effect.catchTag("SchemaError", Effect.die),
      Effect.map((accepted) => ({ mail }: MailRequest): Option.Option<Accepted> => {
        const own = mail.emails.flatMap(({ id }) => {
          const reason = accepted.get(id)
          return reason === undefined ? [] : [[id, reason] as const]
        })
        return own.length === 0 ? Option.none() : Option.some(new Map(own))
      })
    )
  }

  const write = yield* SharedStatement.make({
    run,
    mayShare,
    keyOf: contactOf,
    sizeOf,
    failed: "Accepted mail could not be written"
  })

  return (request: MailRequest) => orRefused(write(request))
})
