/**
 * Makes a request to send from a submitted message, its recipients and its control headers (`X-Posthorn-*`). Pure.
 *
 * The texts of the message are used as written. No control header leaves with the mail.
 */
import { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import { Body, TemplateId } from "@posthorn/contract/content/templates/Template"
import type { RecipientType } from "@posthorn/contract/mail/emails/Email"
import { Tags } from "@posthorn/contract/mail/emails/Tags"
import { CustomHeaders } from "@posthorn/contract/mail/sending/CustomHeaders"
import type { SendEmail } from "@posthorn/contract/mail/sending/Send"
import { plainName } from "@posthorn/contract/platform/DisplayName"
import { LanguageTag } from "@posthorn/contract/platform/LanguageTag"
import { canonicalAddress, isAddress } from "@posthorn/contract/platform/Primitives"
import { Option, Result, Schema } from "effect"
import type { SubmittedAddress, SubmittedMail } from "../../content/text/SubmittedMail.ts"
import { faultsOf } from "../../platform/http/Faults.ts"
import type { ShownAddress } from "../ledger/Ledger.ts"
import type { Recipient, Submitted } from "../sending/Draft.ts"
import { faulty, refused, type SubmissionRefused } from "./SubmissionRefused.ts"

/** An address in its stored form, or why SMTP refuses it as a recipient. */
export const recipientOf = (given: string): Result.Result<string, SubmissionRefused> => {
  const address = canonicalAddress(given)
  if (/[^\0-\x7f]/.test(address.slice(0, address.lastIndexOf("@")))) {
    return Result.fail(refused(553, "5.6.7", "The local part of the address has characters beyond ASCII"))
  }
  return isAddress(address) ? Result.succeed(address) : Result.fail(refused(553, "5.1.3", "Not a valid email address"))
}

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

/** The message as a request. Attachments have no ids yet. */
export interface SubmittedRequest {
  readonly input: SendEmail
  readonly submitted: Omit<Submitted, "attachments">
  /** `X-Posthorn-Idempotency-Key`. */
  readonly idempotencyKey: string | undefined
}

const longestName = 200
const longestSubject = 998
const maxFiles = 50

const nameOf = ({ name }: SubmittedAddress): string | null =>
  [...plainName(name ?? "")].slice(0, longestName).join("") || null

/** Addresses that a header can show. Others are left out, as those without a domain that local mailers write. */
const shownAddresses = (addresses: ReadonlyArray<SubmittedAddress>): ReadonlyArray<ShownAddress> =>
  addresses.flatMap((each) => {
    const email = canonicalAddress(each.email)
    return isAddress(email) && isAscii(email) ? [{ email, name: nameOf(each) }] : []
  })

/** Fields that the message has in another form, or that only the service or a server on the way writes. */
const isOwn = (name: string): boolean =>
  /^(?:from|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|received|return-path|dkim-signature|authentication-results|arc-.*|x-posthorn-.*)$/.test(
    name.toLowerCase()
  )

const longestReferences = 998

/** The first id and the last ones that fit (RFC 5537 section 3.4.4). A long thread has more than a header may hold. */
const shortReferences = (value: string): string => {
  if (value.length <= longestReferences) return value
  const [first = "", ...others] = value.split(/\s+/)
  const kept: Array<string> = []
  let room = longestReferences - first.length
  for (const id of others.toReversed()) {
    room -= id.length + 1
    if (room < 0) break
    kept.unshift(id)
  }
  return [first, ...kept].join(" ")
}

const decodeHeaders = Schema.decodeUnknownResult(CustomHeaders)
const decodeTags = Schema.decodeUnknownResult(Tags)
const decodeData = Schema.decodeUnknownResult(ContactData)
const decodeTag = Schema.decodeUnknownResult(LanguageTag)
const decodeBody = Schema.decodeUnknownResult(Body)
const parseJson = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** The first fault of a value, after the name of what it is. */
const named = (what: string) => (error: Schema.SchemaError) => {
  const [fault] = faultsOf(error.issue)
  const field = fault?.field ? `${what} ${fault.field}` : what
  return faulty(`${field}: ${fault?.message ?? "Not valid."}`)
}

const headersOf = ({ headers }: SubmittedMail) => {
  const own = headers.filter(([name]) => !isOwn(name))
  const seen = new Set<string>()
  for (const [name] of own) {
    if (seen.has(name.toLowerCase())) return Result.fail(faulty(`Header ${name}: This header is given twice.`))
    seen.add(name.toLowerCase())
  }
  const given = own.map(([name, value]) => [name, /^references$/i.test(name) ? shortReferences(value) : value] as const)
  return Result.mapError(decodeHeaders(Object.fromEntries(given)), named("Header"))
}

const controlNames = [
  "template",
  "data",
  "locale",
  "interpolate",
  "strict",
  "tracking",
  "tag",
  "scheduled-for",
  "idempotency-key",
  "contacts"
] as const
type ControlName = (typeof controlNames)[number]

const isControl = (name: string): name is ControlName => controlNames.some((known) => known === name)

const headerOf = (name: string) =>
  `X-Posthorn-${name.replace(/(^|-)([a-z])/g, (_, start: string, letter: string) => start + letter.toUpperCase())}`

const controlsOf = ({ controls }: SubmittedMail) => {
  const single = new Map<ControlName, string>()
  const tags: Array<readonly [string, string]> = []
  for (const [name, text] of controls) {
    const value = text.trim()
    if (!isControl(name)) return Result.fail(faulty(`Header ${headerOf(name)} is not known.`))
    if (name === "tag") {
      const end = value.indexOf("=")
      if (end < 1) return Result.fail(faulty("Header X-Posthorn-Tag: A tag is key=value."))
      tags.push([value.slice(0, end).trim(), value.slice(end + 1).trim()])
    } else if (single.has(name)) return Result.fail(faulty(`Header ${headerOf(name)}: This header is given twice.`))
    else single.set(name, value)
  }
  return Result.succeed({ single, tags })
}

/** One of two words. Absent without the header. */
const choiceOf = <A>(single: ReadonlyMap<ControlName, string>, name: ControlName, choices: Record<string, A>) => {
  const given = single.get(name)
  if (given === undefined) return Result.succeed(undefined)
  const folded = given.toLowerCase()
  return Object.hasOwn(choices, folded)
    ? Result.succeed(choices[folded])
    : Result.fail(faulty(`Header ${headerOf(name)}: Either ${Object.keys(choices).join(" or ")}.`))
}

const truth = { true: true, false: false }

const dataOf = (single: ReadonlyMap<ControlName, string>) => {
  const text = single.get("data")
  if (text === undefined) return Result.succeed(undefined)
  const json = parseJson(text)
  return Option.isNone(json)
    ? Result.fail(faulty("Header X-Posthorn-Data: Not a JSON object."))
    : Result.mapError(decodeData(json.value), named("Header X-Posthorn-Data"))
}

const templateId = Schema.is(TemplateId)

/** A template is named by its id or its alias. */
const templateOf = (name: string) => (templateId(name) ? { template: name } : { templateAlias: name })

const isKey = (key: string) => /^[\x20-\x7e]{1,255}$/.test(key)

/** A part of the message within the limits of a request. An empty one is used as it is. */
const textOf = (what: string, text: string | null) =>
  text === null || text === "" ? Result.succeed(text) : Result.mapError(decodeBody(text), named(what))

/** Where a recipient stands: `To`, `Cc`, or in no header. */
const typeOf = (to: ReadonlySet<string>, cc: ReadonlySet<string>, email: string): RecipientType =>
  to.has(email) ? "TO" : cc.has(email) ? "CC" : "BCC"

const partiesOf = (
  mail: SubmittedMail,
  recipients: ReadonlyArray<string>,
  areContacts: boolean
): Pick<Submitted, "copies" | "recipients" | "shown"> => {
  const shown = { to: shownAddresses(mail.to), cc: shownAddresses(mail.cc) }
  const names = new Map([...shown.cc, ...shown.to].map(({ email, name }) => [email, name]))
  const [to, cc] = [new Set(shown.to.map(({ email }) => email)), new Set(shown.cc.map(({ email }) => email))]
  const parties = [...new Set(recipients)].map((email) => ({
    email,
    name: names.get(email) ?? undefined,
    type: typeOf(to, cc, email)
  }))
  const contacts = areContacts ? parties.filter(({ type }) => type === "TO") : []
  const [only, ...others] = contacts
  const isPlain = only !== undefined && others.length === 0 && parties.length === 1
  const isShownAlone = shown.to.length === 1 && shown.cc.length === 0
  return {
    recipients: contacts.map(({ email, name }): Recipient => ({ email, name })),
    copies: parties.filter((party) => !areContacts || party.type !== "TO"),
    shown: isPlain && isShownAlone ? null : shown
  }
}

/** A message without an own text has an empty one. */
const contentOf = (mail: SubmittedMail) =>
  Result.gen(function* () {
    if ([...mail.subject].length > longestSubject) {
      return yield* Result.fail(faulty(`Header Subject: At most ${longestSubject} characters.`))
    }
    const body = yield* textOf("HTML part", mail.html)
    const text = yield* textOf("Text part", mail.text)
    return { subject: mail.subject, body, text: body === null ? (text ?? "") : text }
  })

const authorOf = ({ from }: SubmittedMail) => {
  const [author, ...others] = from
  const email = author === undefined ? "" : canonicalAddress(author.email)
  return author === undefined || others.length > 0 || !isAddress(email) || !isAscii(email)
    ? Result.fail(faulty("Header From: Exactly one valid address is needed."))
    : Result.succeed({ email, ...(nameOf(author) && { name: nameOf(author) }) })
}

/** Recipients are in their stored form. */
export const submittedRequest = (
  mail: SubmittedMail,
  recipients: ReadonlyArray<string>
): Result.Result<SubmittedRequest, SubmissionRefused> =>
  Result.gen(function* () {
    const from = yield* authorOf(mail)
    const { single, tags } = yield* controlsOf(mail)
    const areContacts = yield* choiceOf(single, "contacts", { on: true, off: false })
    const interpolate = yield* choiceOf(single, "interpolate", truth)
    const tracking = yield* choiceOf(single, "tracking", truth)
    const strict = yield* choiceOf(single, "strict", truth)
    const idempotencyKey = single.get("idempotency-key")
    if (idempotencyKey !== undefined && !isKey(idempotencyKey)) {
      return yield* Result.fail(faulty("Header X-Posthorn-Idempotency-Key: 1 to 255 printable ASCII characters."))
    }
    if (mail.files.length > maxFiles) return yield* Result.fail(faulty(`At most ${maxFiles} attachments.`))
    const template = single.get("template")
    const parties = partiesOf(mail, recipients, areContacts ?? true)
    const isToOne = parties.recipients.length + parties.copies.length === 1
    if (template !== undefined && !(isToOne && parties.copies.every(({ type }) => type === "TO"))) {
      return yield* Result.fail(faulty("Header X-Posthorn-Template: The message must have one recipient, in To."))
    }
    const content = template === undefined ? yield* contentOf(mail) : templateOf(template)
    const locale = single.get("locale")
    const data = yield* dataOf(single)
    const [reply] = shownAddresses(mail.replyTo)
    const input: SendEmail = {
      to: [...recipients],
      from,
      headers: yield* headersOf(mail),
      tags: yield* Result.mapError(decodeTags(Object.fromEntries(tags)), named("Header X-Posthorn-Tag")),
      ...content,
      ...(template === undefined ? { interpolate: interpolate ?? false } : interpolate === false && { interpolate }),
      ...(tracking !== undefined && { tracking }),
      ...(strict !== undefined && { strict }),
      ...(locale !== undefined && {
        locale: yield* Result.mapError(decodeTag(locale), named("Header X-Posthorn-Locale"))
      }),
      ...(data !== undefined && { data }),
      ...(reply !== undefined && { reply: reply.email }),
      ...(single.has("scheduled-for") && { scheduledFor: single.get("scheduled-for") ?? "" })
    }
    return { input, submitted: { ...parties, messageId: mail.messageId }, idempotencyKey }
  })
