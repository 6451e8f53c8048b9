/**
 * Every parser and writer of the core that handles text from outside takes time in proportion to its length, for any
 * text. The test adapters/node/src/endToEnd/HostileFields.test.ts checks the same for each field, over the wire.
 */
import { assert, it } from "@effect/vitest"
import { EmailAddress } from "@posthorn/contract/platform/Primitives"
import { Schema } from "effect"
import { openSheet } from "../audience/contacts/files/ContactImportCsv.ts"
import { languageTag } from "../audience/forms/FormTexts.ts"
import { readFormSubmission } from "../audience/forms/FormValues.ts"
import { slugOf } from "../audience/segments/Slug.ts"
import { withFooter } from "../content/rendering/Footer.ts"
import { textFaults } from "../content/rendering/MailSyntax.ts"
import { mailWarnings } from "../content/rendering/MailWarnings.ts"
import { partialNames } from "../content/rendering/Partials.ts"
import { plainText, plainTextOf } from "../content/rendering/PlainText.ts"
import { subjectLine } from "../content/rendering/PrintedValue.ts"
import { Skeleton } from "../content/rendering/Skeleton.ts"
import { checkTemplate } from "../content/rendering/TemplateSyntax.ts"
import { destinations } from "../content/text/Destinations.ts"
import { readIncomingMail } from "../content/text/IncomingMail.ts"
import { bounceType, isAboutMailbox } from "../mail/receivers/BounceClass.ts"
import { blocksOf, fieldsOf } from "../mail/receivers/ReportedMail.ts"
import { slug } from "../mail/sending/MessageHeaders.ts"
import { classify, providerId } from "../mail/sending/Replies.ts"
import { escapeHtml } from "../platform/web/EscapeHtml.ts"
import { growing, type Work } from "../testing/Growth.ts"
import { hostileShapes } from "../testing/HostileText.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const oneLine = (text: string) => text.replaceAll(/[\r\n]/g, "")
const isEmail = Schema.is(EmailAddress)

const skeletonOf = (text: string) => {
  const skeleton = new Skeleton()
  skeleton.write(text)
  skeleton.write("x", "x")
  return plainTextOf(`${text}x`, skeleton)
}

const field = (name: string) => (text: string) => readIncomingMail(bytes(`${name}: ${oneLine(text)}\r\n\r\nx`))
const body = (head: string) => (text: string) => readIncomingMail(bytes(`${head}\r\n\r\n${text}`))

const footer = { language: "en", unsubscribeUrl: "https://example.com/u/x", projectName: "Shop" } as const

const formFields = (["text", "number", "date", "select", "checkbox", "hidden"] as const).map((type) => ({
  key: type === "hidden" ? "timezone" : type,
  label: type,
  type,
  required: true,
  maxLength: 5_000,
  options: ["x"]
}))

/** A submission that has the text in every field. */
const submission = (text: string) => {
  const offer = { fields: formFields, choices: ["news"], consentRequired: true }
  languageTag(text)
  return readFormSubmission({ isJson: false, all: () => [text] }, offer)
}

/** A text that is its own partial and layout, as HTML and as text. */
const joinedWith = (text: string) => {
  const partials = new Map(partialNames(text, "{{> a}}").map((name) => [name, { body: text, text }]))
  return textFaults({ source: `${text}{{> a}}`, joined: { part: "body", partials, layout: "a" } })
}

const work: ReadonlyArray<Work> = [
  { name: "text with partials", run: joinedWith, limit: 100_000 },
  { name: "template", run: checkTemplate, limit: 100_000 },
  {
    name: "warnings",
    run: (html) => mailWarnings({ subject: html.slice(0, 998), html, text: html }),
    limit: 100_000
  },
  { name: "links", run: destinations, limit: 100_000 },
  { name: "plain text", run: plainText, limit: 100_000 },
  { name: "plain text of a skeleton", run: skeletonOf, limit: 100_000 },
  { name: "footer", run: (html) => withFooter({ html, text: html }, footer), limit: 100_000 },
  { name: "escaped", run: escapeHtml, limit: 100_000 },
  { name: "subject", run: subjectLine, limit: 100_000 },
  { name: "address", run: (text) => isEmail(text), limit: 100_000 },
  { name: "CSV file", run: (text) => openSheet(bytes(text)), limit: 100_000 },
  { name: "submission of a form", run: submission, limit: 64_000 },
  { name: "slug of a segment", run: slugOf, limit: 20_000 },
  { name: "slug of a project", run: slug, limit: 20_000 },
  { name: "provider's id", run: providerId, limit: 20_000 },
  { name: "class of a reply", run: (reply) => classify({ code: 550, reply }), limit: 20_000 },
  { name: "type of a bounce", run: (diagnostic) => bounceType({ diagnostic }), limit: 20_000 },
  { name: "mailbox of a bounce", run: (diagnostic) => isAboutMailbox({ diagnostic }), limit: 20_000 },
  { name: "header fields", run: fieldsOf, limit: 100_000 },
  { name: "blocks", run: (text) => blocksOf({ type: "", filename: null, content: bytes(text) }), limit: 100_000 },
  { name: "mail", run: (text) => readIncomingMail(bytes(text)), limit: 40_000 },
  ...["From", "To", "Subject", "Date", "Content-Type", "Message-ID", "Content-Disposition"].map((name) => ({
    name: `field ${name} of a mail`,
    run: field(name),
    limit: 40_000
  })),
  { name: "HTML mail", run: body("Content-Type: text/html"), limit: 40_000 },
  { name: "flowed mail", run: body("Content-Type: text/plain; format=flowed; delsp=yes"), limit: 40_000 },
  { name: "quoted-printable mail", run: body("Content-Transfer-Encoding: quoted-printable"), limit: 40_000 },
  { name: "mail of parts", run: body("Content-Type: multipart/mixed; boundary=x"), limit: 40_000 }
]

/** Every line of an email is expensive to parse. An email with many lines is parsed off the event loop, at any size. */
const fewLines = hostileShapes.filter(({ at }) => at(1_000).split("\n").length < 50)

it.each(work)("$name takes time in proportion to its text", async (one) => {
  assert.deepStrictEqual(await growing(one, /\bmail\b/.test(one.name) ? fewLines : hostileShapes), [])
})
