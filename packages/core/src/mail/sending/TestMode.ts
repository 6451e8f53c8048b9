/**
 * Mail of test mode: accepted, rendered, claimed and built like other mail, and then handed to a transport that opens no
 * connection. It writes nothing about contacts and suppressions, and records no events.
 */
import type { ApiKeyHolder, ProjectId } from "@posthorn/contract/platform/Auth"
import { RateLimitExceeded } from "@posthorn/contract/platform/Errors"
import { Array, DateTime, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { MailerError, type Receipt } from "../../platform/Mailer.ts"
import type { NewMail } from "../ledger/Ledger.ts"
import type { ClaimedEmail, Settlement } from "./DeliveryQueue.ts"
import { clickEvent, complaintEvent, deliveryEvent, openEvent } from "./MailEvents.ts"
import { deferredTries, type Outcome, simulatedOutcome, slowReply } from "./OutcomeAddress.ts"

/** Test mails of a project in a UTC day. */
export const maxTestMails = 10_000

/** Whether the mails of a draft are of test mode. */
export const isTest = ({ apiKey }: { readonly apiKey?: ApiKeyHolder | undefined }): boolean => apiKey?.mode === "TEST"

/** The same mail with its API key. In test mode it has no contact, and is not tracked. */
export const ofKey = <M extends Pick<NewMail, "emails">>(mail: M, apiKey: ApiKeyHolder | undefined): M => {
  if (apiKey === undefined) return mail
  const asTest = apiKey.mode === "TEST" && ({ mode: "TEST", test: true, tracking: false, contactId: null } as const)
  return { ...mail, emails: Array.map(mail.emails, (email) => ({ ...email, apiKeyId: apiKey.id, ...asTest })) }
}

/** Counts test mails against the limit of the day. Joins the caller's transaction. */
export const takeTestMails = Effect.fn("TestMode.takeTestMails")(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  mails: number,
  now: DateTime.Utc
): Effect.fn.Return<void, RateLimitExceeded> {
  const day = DateTime.formatIsoDateUtc(now)
  const taken = yield* Effect.orDie(sql`
    insert into test_mail_days as taken (project_id, day, count) values (${project}, ${day}::date, ${mails})
    on conflict (project_id, day) do update set count = taken.count + excluded.count
    where taken.count + excluded.count <= ${maxTestMails}
    returning count`)
  if (taken.length > 0 && mails <= maxTestMails) return
  const tomorrow = DateTime.add(DateTime.startOf(now, "day"), { days: 1 })
  const retryAfter = Math.max(1, Math.ceil(Duration.toSeconds(DateTime.distance(now, tomorrow))))
  return yield* new RateLimitExceeded({ limit: maxTestMails, retryAfter, scope: "test_mail" })
})

const transport = "test"
const remoteHost = "test"

const refused = (code: number, enhancedCode: string, text: string) =>
  new MailerError({
    reason: "refused",
    transport,
    remoteHost,
    code,
    enhancedCode,
    reply: `${code} ${enhancedCode} ${text}`
  })

/** Hands over a test mail. Opens no connection: the address decides the reply. */
export const handOver = (mail: Pick<ClaimedEmail, "attempts" | "to">): Effect.Effect<Receipt, MailerError> => {
  const receipt = { transport, remoteHost, code: 250, enhancedCode: "2.0.0", reply: "250 2.0.0 Test mail, not sent" }
  switch (simulatedOutcome(mail.to)) {
    case "bounced":
      return Effect.fail(refused(550, "5.1.1", "No such mailbox, as bounced@ asks for"))
    case "failed":
      return Effect.fail(refused(554, "5.7.1", "Rejected, as failed@ asks for"))
    case "deferred":
      return mail.attempts < deferredTries
        ? Effect.fail(
            refused(451, "4.3.0", `Not now, as deferred@ asks for (refusal ${mail.attempts + 1} of ${deferredTries})`)
          )
        : Effect.succeed(receipt)
    case "slow":
      return Effect.delay(Effect.succeed(receipt), slowReply)
    default:
      return Effect.succeed(receipt)
  }
}

export type TestStatus = "DELIVERED" | "OPENED" | "CLICKED" | "COMPLAINED"

const endings: { readonly [O in Outcome]?: TestStatus } = {
  opened: "OPENED",
  clicked: "CLICKED",
  complained: "COMPLAINED"
}

/** The status in which a test mail that was accepted ends. */
export const endOf = ({ to }: Pick<ClaimedEmail, "to">): TestStatus =>
  endings[simulatedOutcome(to) ?? "slow"] ?? "DELIVERED"

/** The events of a test mail, after this result of a try. */
export const eventsOf = (mail: ClaimedEmail, { status, event, at }: Settlement) => {
  const own = event === null ? [] : [event]
  if (status !== "SENT") return own
  const seen = { at, first: at, ordinal: 1, verdict: "human" } as const
  const delivered = [...own, deliveryEvent(mail, at)]
  switch (endOf(mail)) {
    case "DELIVERED":
      return delivered
    case "OPENED":
      return [...delivered, openEvent(mail, seen)]
    case "CLICKED":
      return [...delivered, openEvent(mail, seen), clickEvent(mail, null, seen)]
    case "COMPLAINED":
      return [...delivered, complaintEvent(mail, at, "abuse")]
  }
}
