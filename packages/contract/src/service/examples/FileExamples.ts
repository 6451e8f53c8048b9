/** Examples of bodies that are not JSON: files and streams, by operation and content type. */
import { answerExample } from "./AnswerExamples.ts"
import { ids } from "./Ids.ts"
import { requestExamples } from "./RequestExamples.ts"
import type { Schemas } from "./SchemaParts.ts"

const moment = "2026-03-01T09:30:00.000Z"

const message = `From: hello@mail.example.com
To: ada@example.com
Subject: Welcome, Ada
Message-ID: <019a9f3c@mail.example.com>
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<p>Good to see you.</p>
`.replaceAll("\n", "\r\n")

const report = `From: mailer-daemon@mx.example.com
To: bounces@mail.example.com
Subject: Undelivered Mail Returned to Sender
Message-ID: <1@mx.example.com>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; ada@example.com
Action: failed
Status: 5.1.1
--b--
`.replaceAll("\n", "\r\n")

const row = (...cells: ReadonlyArray<string | undefined>): string => `${cells.join(",")}\r\n`

const contacts =
  row("id", "email", "subscribed", "createdAt", "updatedAt", "firstName", "plan") +
  row(ids["contact"], "ada@example.com", "true", moment, moment, "Ada", "pro")

const consents =
  row("id", "contactId", "email", "at", "recordedAt", "action", "scope", "topicId", "topicKey", "topicName", "source") +
  row(
    ...[ids["consent"], ids["contact"], "ada@example.com", moment, moment, "granted"],
    ...["topic", ids["topic"], "news", "News", "form"]
  )

const suppressions =
  row("id", "email", "reason", "emailId", "note", "createdAt") +
  row(ids["suppression"], "gone@example.com", "COMPLAINT", ids["email"], undefined, moment)

const faultyRows = row("row", "error", "email", "plan") + row("7", "Not a valid email address.", "ada@@example", "pro")

type Make = (schemas: Schemas) => unknown

/** One record, as a line of JSON. */
const line =
  (name: string) =>
  (schemas: Schemas): string =>
    `${JSON.stringify(answerExample(schemas, { $ref: `#/components/schemas/${name}` }, {}))}\n`

/** An event of a stream, as its schema describes it: the data is JSON in a text. */
const activity: Make = (schemas) => ({ id: "4711", event: "activity", data: line("LiveActivity")(schemas).trimEnd() })

const answers: { readonly [operation: string]: { readonly [type: string]: Make } } = {
  "contacts.export": { "text/csv": () => contacts, "application/x-ndjson": line("Contact") },
  "contacts.exportSelected": { "text/csv": () => contacts, "application/x-ndjson": line("Contact") },
  "consents.export": { "text/csv": () => consents, "application/x-ndjson": line("Consent") },
  "contacts.importErrors": { "text/csv": () => faultyRows },
  "suppressions.export": { "text/csv": () => suppressions, "application/x-ndjson": line("Suppression") },
  "emails.content": { "message/rfc822": () => message },
  live: { "text/event-stream": activity }
}

/** The answer of an operation in a type other than JSON. */
export const fileAnswer = (operation: string, type: string, schemas: Schemas): unknown =>
  answers[operation]?.[type]?.(schemas)

/** The body of a request in a type other than JSON. A file of a form stands as its name. */
export const fileRequest = (operation: string, type: string): unknown => {
  if (type === "message/rfc822") return report
  const file = requestExamples[operation]?.file
  return file && { [file.field]: file.name }
}
