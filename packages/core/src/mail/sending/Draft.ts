/** Completes a request to send: its fields replace those of the template, which replace those of the project. */
import type { ContactData, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { EmailType } from "@posthorn/contract/content/templates/Template"
import type { RecipientType } from "@posthorn/contract/mail/emails/Email"
import type { SendEmail } from "@posthorn/contract/mail/sending/Send"
import type { ApiKeyHolder } from "@posthorn/contract/platform/Auth"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { Mailbox, mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { Array, type DateTime, Effect, Option, Predicate, Schema } from "effect"
import type { StoredProject } from "../../accounts/projects/Project.ts"
import type { ContactNames } from "../../audience/contacts/Identity.ts"
import type { TopicOfMail } from "../../audience/topics/TopicOfMail.ts"
import type { PartialSources } from "../../content/rendering/Partials.ts"
import { type Surroundings, syntaxFaults } from "../../content/templates/TextSyntax.ts"
import { type Multilingual, translationsWithOwn, withOwn } from "../../content/templates/Translations.ts"
import type { TextWorker } from "../../content/text/TextWork.ts"
import type { ShownAddress } from "../ledger/Ledger.ts"
import { tracks } from "../tracking/TrackingMode.ts"
import type { SentTemplate } from "./AcceptanceSql.ts"
import type { AttachedFile } from "./AttachmentBytes.ts"

export interface Recipient {
  readonly email: string
  readonly name?: string | undefined
  /** The id that its contact gets. */
  readonly externalId?: string | undefined
  /** A known contact that the request names by its id. It gets the address if it has another one. */
  readonly contact?: { readonly id: ContactId; readonly email: string } | undefined
}

/** A request whose recipients all have addresses. */
export type AddressedSend = Omit<SendEmail, "to"> & {
  readonly to: Party | Recipient | ReadonlyArray<Party | Recipient>
}

/** A recipient who becomes no contact. Only a submitted message has some of type `TO`. */
export interface CopyRecipient extends Recipient {
  readonly type: RecipientType
}

/** What a submitted message has besides the fields of a request. */
export interface Submitted {
  readonly attachments: ReadonlyArray<AttachedFile>
  readonly recipients: ReadonlyArray<Recipient>
  readonly copies: ReadonlyArray<CopyRecipient>
  /** Without angle brackets. Null: the service makes one. */
  readonly messageId: string | null
  /** What the headers `To` and `Cc` show. Null if that is the single recipient. */
  readonly shown: { readonly to: ReadonlyArray<ShownAddress>; readonly cc: ReadonlyArray<ShownAddress> } | null
}

/** Subject, body and text are those for recipients without a translation. Own texts of the request are in all of them. */
export interface Draft extends Multilingual {
  readonly project: StoredProject
  /** Empty only in a submitted message. */
  readonly recipients: ReadonlyArray<Recipient>
  /** Each address once, and none that is in `recipients`. Not empty only with a single recipient, or if submitted. */
  readonly copies: ReadonlyArray<CopyRecipient>
  /** Absent: the service makes one. */
  readonly messageId?: string | null
  /** Absent: the recipient, or the recipients of the group. */
  readonly shown?: Submitted["shown"]
  /** Set if `to` is not an array. Faults then have the field `to`, without a position. */
  readonly single: boolean
  /** Language of the request, for all of its recipients. */
  readonly locale: string | undefined
  /** False: subject, body and text are used as written. */
  readonly interpolate: boolean
  /** Whether a variable without a value refuses the mail. */
  readonly strict: boolean
  /** The partials that body and text name, and the layout around them. */
  readonly around: Surroundings
  readonly from: { readonly email: string; readonly name: string }
  readonly replyTo: string | null
  readonly type: EmailType
  readonly topic: TopicOfMail | null
  readonly templateId: string | null
  readonly templateVersion: number | null
  readonly tracking: boolean
  readonly subscribed: boolean | undefined
  /** Whether the recipients must confirm before they are subscribed. */
  readonly asks?: boolean
  readonly data: ContactData
  readonly headers: { readonly [name: string]: string }
  readonly tags: { readonly [key: string]: string }
  /** Null if it is sent at once. */
  readonly scheduledFor: DateTime.Utc | null
  readonly attachments: ReadonlyArray<AttachedFile>
  /** The API key of the request, if it has one. */
  readonly apiKey?: ApiKeyHolder | undefined
}

type Party = string | { readonly email: string; readonly name?: string | null }

const recipientOf = (party: Party | Recipient): Recipient =>
  Predicate.isString(party) ? mailboxOf(party) : { ...party, name: party.name || undefined }

export const recipientsOf = ({ to }: Pick<AddressedSend, "to">): ReadonlyArray<Recipient> =>
  Array.ensure(to).map(recipientOf)

const isParty = (
  party: string | { readonly email?: string | null; readonly externalId?: string | null }
): party is Party => Predicate.isString(party) || (party.email != null && party.externalId == null)

/** The request, if no recipient has an external id. */
export const addressedOf = (input: SendEmail): AddressedSend | undefined => {
  const parties = Array.ensure(input.to)
  if (!parties.every(isParty)) return undefined
  const [first] = parties
  return { ...input, to: Array.isArray(input.to) || first === undefined ? parties : first }
}

/** The names of the recipients, in their order. */
export const namesOf = ({
  to
}: Pick<SendEmail, "to">): ReadonlyArray<ContactNames & { readonly name?: string | undefined }> =>
  Array.ensure(to).map((party) =>
    Predicate.isString(party)
      ? mailboxOf(party)
      : { email: party.email ?? undefined, externalId: party.externalId ?? undefined, name: party.name || undefined }
  )

/** Undefined if the template names the sender. */
export const senderOf = ({ from }: Pick<SendEmail, "from">): Recipient | undefined =>
  from == null ? undefined : recipientOf(from)

const maxCopies = 49

/** `to` takes precedence over `cc`, and `cc` over `bcc`. */
export const copiesOf = ({ to, cc, bcc }: Pick<AddressedSend, "to" | "cc" | "bcc">): ReadonlyArray<CopyRecipient> => {
  const taken = new Set(recipientsOf({ to }).map(({ email }) => email))
  return [...partiesOf(cc, "CC"), ...partiesOf(bcc, "BCC")].filter(({ email }) => !taken.has(email) && taken.add(email))
}

const partiesOf = (given: Party | ReadonlyArray<Party> | null | undefined, type: CopyRecipient["type"]) =>
  given == null ? [] : Array.ensure(given).map((party): CopyRecipient => ({ ...recipientOf(party), type }))

const copyFaults = (
  input: Pick<AddressedSend, "to" | "cc" | "bcc">,
  copies: ReadonlyArray<CopyRecipient>,
  type: EmailType
): ReadonlyArray<Fault> => {
  if (copies.length === 0) return []
  const refuse = (message: string) =>
    (["cc", "bcc"] as const).flatMap((field): ReadonlyArray<Fault> => {
      const given = input[field]
      return given == null || Array.ensure(given).length === 0 ? [] : [{ field, code: "custom", message }]
    })
  const visible = copies.filter(({ type }) => type === "CC").length
  const tooMany: Fault = {
    field: visible > maxCopies ? "cc" : "bcc",
    code: "too_big",
    message: `At most ${maxCopies} copies, \`cc\` and \`bcc\` together.`
  }
  return [
    ...(recipientsOf(input).length > 1 ? refuse("Copies need exactly one recipient in `to`.") : []),
    ...(type === "TRANSACTIONAL" ? [] : refuse("Only a transactional email has copies.")),
    ...(copies.length > maxCopies ? [tooMany] : [])
  ]
}

const required = (field: string, message: string): Fault => ({ field, code: "required", message })

const notWithTemplate: Fault = {
  field: "interpolate",
  code: "custom",
  message: "Texts of a template are always rendered, so `interpolate` is only false without one."
}

const decodeAddress = Schema.decodeUnknownOption(Mailbox)

/** A Reply-To among the custom headers is used if the request has none. It must be a valid address. */
const replyHeader = (headers: { readonly [name: string]: string }) => {
  const [name, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === "reply-to") ?? []
  if (name === undefined) return { headers, address: null, faults: [] }
  const address = Option.getOrNull(decodeAddress(value))
  const { [name]: _, ...others } = headers
  const fault: Fault = { field: `headers.${name}`, code: "invalid_string", message: "Not a valid email address." }
  return { headers: others, address, faults: address === null ? [fault] : [] }
}

/** What the request names, as it is stored. */
export interface DraftSources {
  readonly template: Omit<SentTemplate, "topic" | "topicRequired"> | undefined
  readonly partials: PartialSources
  /** The topic of the mail: that of the request, else that of the template. */
  readonly topic?: TopicOfMail | null
}

export const draftOf = Effect.fn("Sending.draft")(function* (
  input: AddressedSend,
  { template, partials, topic = null }: DraftSources,
  project: StoredProject,
  attachments: ReadonlyArray<AttachedFile>,
  work: TextWorker
): Effect.fn.Return<Draft, ValidationError> {
  const {
    subject,
    body = null,
    text = null
  }: { readonly subject?: string | null; readonly body?: string | null; readonly text?: string | null } = template ===
  undefined
    ? input
    : withOwn(template, input)
  const interpolate = input.interpolate ?? true
  const given = senderOf(input)
  const from = given?.email ?? template?.from
  const reply = replyHeader(input.headers ?? {})
  const type = template?.type ?? "TRANSACTIONAL"
  const copies = copiesOf(input)
  const faults: ReadonlyArray<Fault> = [
    ...(subject == null || (body === null && text === null)
      ? [required("template", "Either a template, or a subject with body, text or both.")]
      : []),
    ...(!interpolate && template !== undefined ? [notWithTemplate] : []),
    ...(from === undefined ? [required("from", "Required, as no template gives a sender.")] : []),
    ...copyFaults(input, copies, type),
    ...reply.faults,
    ...(interpolate
      ? yield* syntaxFaults(
          work,
          { subject: input.subject, body: input.body, text: input.text },
          { partials, layout: null }
        )
      : [])
  ]
  if (subject == null || from === undefined || faults.length > 0) {
    return yield* new ValidationError({ errors: faults })
  }
  const deprecatedName = Predicate.isObject(input.from) ? undefined : input.name || input.fromName
  return {
    project,
    recipients: recipientsOf(input),
    copies,
    single: !Array.isArray(input.to),
    subject,
    body,
    text,
    interpolate,
    strict: input.strict ?? template?.strict ?? false,
    around: { partials, layout: template?.layout ?? null },
    from: { email: from, name: given?.name || deprecatedName || template?.fromName || project.name },
    replyTo: input.reply ?? input.replyTo ?? reply.address ?? template?.replyTo ?? null,
    type,
    topic,
    templateId: template?.id ?? null,
    templateVersion: template?.version ?? null,
    language: template?.language ?? null,
    translations: translationsWithOwn(template?.translations ?? {}, input),
    locale: input.locale ?? undefined,
    // Without HTML there is nothing to track.
    tracking: body !== null && (input.tracking ?? tracks(project.tracking, type)),
    subscribed: input.subscribed ?? undefined,
    data: input.data ?? {},
    headers: reply.headers,
    tags: input.tags ?? {},
    scheduledFor: null,
    attachments
  }
})
