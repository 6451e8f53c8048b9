/** Formats emails for people. */
import type { Email, EmailDetail } from "@posthorn/client"
import type { Block, Cell } from "./Table.ts"

export const party = (address: string, name: string | null): string =>
  name === null ? address : `${name} <${address}>`

/** One line of a list. */
export const emailHead = ["created", "status", "to", "id", "subject"]
export const emailRow = ({ createdAt, status, to, id, subject }: Email): ReadonlyArray<Cell> => [
  createdAt,
  status,
  to,
  id,
  subject
]

const known = (rows: ReadonlyArray<readonly [name: string, value: Cell]>) =>
  rows.filter(([, value]) => value !== null && value !== "")

const tagsOf = ({ tags }: Email) =>
  Object.entries(tags)
    .map(([key, value]) => `${key}:${value}`)
    .join(", ")

const fields = (email: Email): Block => ({
  rows: known([
    ["id", email.id],
    ["status", email.status],
    ["to", party(email.to, email.toName)],
    ["from", party(email.from, email.fromName)],
    ["reply to", email.replyTo],
    ["subject", email.subject],
    ["type", email.type],
    ["topic", email.topicId],
    ["message id", email.messageId],
    ["tags", tagsOf(email)],
    ["created", email.createdAt],
    ["scheduled for", email.scheduledFor],
    ["sent", email.sentAt],
    ["waits for", email.hold && [email.hold.reason, email.hold.until].filter((part) => part !== null).join(" until ")],
    ["next attempt", email.nextAttemptAt],
    ["error", email.error && `${email.error.code}: ${email.error.message}`],
    ["suppressed", email.suppressionReason],
    ["opens", email.opens || null],
    ["clicks", email.clicks || null]
  ])
})

export const emailBlocks = (email: Email): ReadonlyArray<Block> => [fields(email)]

const attempts = ({ attemptLog }: EmailDetail): Block => ({
  name: "attempt",
  head: ["started", "outcome", "server", "reply"],
  rows: attemptLog.map(({ startedAt, outcome, remoteHost, reply }) => [
    startedAt,
    outcome ?? "under way",
    remoteHost,
    reply
  ])
})

/** The SMTP dialogue of the latest attempt that has one. */
const dialogue = ({ attemptLog }: EmailDetail): ReadonlyArray<Block> => {
  const tried = attemptLog.findLast((attempt) => (attempt.dialogue ?? []).length > 0)
  if (tried === undefined) return []
  const rows = (tried.dialogue ?? []).map(({ at, from, text }) => [`${at} ms`, from, text])
  return [{ name: "dialogue", head: ["after", "from", "line"], rows }]
}

const timeline = ({ timeline }: EmailDetail): Block => ({
  name: "event",
  head: ["at", "event", "detail"],
  rows: timeline.map(({ at, type, detail }) => [at, type, detail])
})

/** An email with its history, oldest first. */
export const emailDetailBlocks = (email: EmailDetail): ReadonlyArray<Block> => [
  fields(email),
  attempts(email),
  ...dialogue(email),
  timeline(email)
]
