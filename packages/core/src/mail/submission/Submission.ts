/**
 * Takes mail from clients that speak SMTP, into the same ledger as `POST /v1/send`. A host runs the listener; this service
 * decides about logins and messages, and answers with the replies of SMTP.
 */

import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { Forbidden, InvalidApiKey, ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, DateTime, Effect, Layer, Option, Redacted, Ref } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import * as Attempts from "../../accounts/people/Attempts.ts"
import { keyRefusal } from "../../accounts/projects/KeyRules.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { readSubmission, type SubmissionFault, type SubmittedMail } from "../../content/text/SubmittedMail.ts"
import { longestInLine, TextWork } from "../../content/text/TextWork.ts"
import { canonicalJson } from "../../platform/http/CanonicalJson.ts"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { isDiskFull, noteFull } from "../../platform/http/FullDisk.ts"
import { storedKey } from "../../platform/http/Idempotency.ts"
import type { FirstUse, IdempotencyKeys } from "../../platform/http/IdempotencyKeys.ts"
import * as OncePerKey from "../../platform/http/OncePerKey.ts"
import { isOutage } from "../../platform/http/Outages.ts"
import { Overloaded } from "../../platform/http/Overloaded.ts"
import { RateLimiter } from "../../platform/http/RateLimiter.ts"
import { Settings } from "../../platform/Settings.ts"
import type { Transaction } from "../../platform/Transaction.ts"
import type { AttachedFile } from "../sending/AttachmentBytes.ts"
import { Sending } from "../sending/Sending.ts"
import { faulty, refused, replyTo, type SubmissionRefused } from "./SubmissionRefused.ts"
import { submittedRequest } from "./SubmittedRequest.ts"

/** A client that has logged in. Its key is checked again at each message. */
export interface SubmissionLogin {
  readonly project: ProjectId
  readonly key: Redacted.Redacted<string>
  /** Address of the client. */
  readonly address: string
}

/** A message as it was transmitted. */
export interface SubmittedMessage {
  /** Addresses of RCPT in their stored form. */
  readonly recipients: ReadonlyArray<string>
  readonly bytes: Uint8Array
}

/** Where a host listens for submissions. A port that is not set is null. */
export interface Listening {
  readonly host: string
  readonly ports: { readonly starttls: number | null; readonly tls: number | null }
}

/** A service, because the listener of a host calls it. */
export class Submission extends Context.Service<
  Submission,
  {
    /**
     * Logs in with a secret key or an API key as the password. A refusal takes one second. After 20 refusals in 15
     * minutes, a client (an address, or the /64 of an IPv6 address) is refused for 15 minutes, in all processes.
     */
    readonly logIn: (password: string, address: string) => Effect.Effect<SubmissionLogin, SubmissionRefused>
    /**
     * Begins a message: the key must still be valid, the project must be able to send, and neither may be over its
     * limit of messages a minute.
     */
    readonly begin: (login: SubmissionLogin) => Effect.Effect<void, SubmissionRefused>
    /**
     * Stores the mails of a message, all of them or none, and returns the id of the first one. A message that was already
     * stored (the same octets besides `Received`, with a Message-ID, and the same recipients) is not stored again: the
     * result is the first id.
     */
    readonly submit: (login: SubmissionLogin, message: SubmittedMessage) => Effect.Effect<EmailId, SubmissionRefused>
    /** Records that the host listens, for those who ask what the deployment offers. */
    readonly opened: (listening: Listening) => Effect.Effect<void>
    readonly listening: Effect.Effect<Option.Option<Listening>>
  }
>()("@posthorn/core/mail/submission/Submission") {}

/** A refused login is answered after this time. */
const pause = "1 second"

const blocked = refused(421, "4.7.0", "Too many failed logins from this address, try again later")

/** A message with more lines is read in a thread. A line costs the parser as much as a hundred characters. */
const maxLinesInLine = 1_000

/** A key of a caller never contains a line feed. */
const derivedKey = (digest: string) => `submission\n${digest}`

const isLarge = (bytes: Uint8Array): boolean => {
  if (bytes.length > longestInLine) return true
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) if (++lines > maxLinesInLine) return true
  return false
}

const lineEnd = (bytes: Uint8Array, from: number): number => {
  const at = bytes.indexOf(10, from)
  return at < 0 ? bytes.length : at + 1
}

const received = new TextEncoder().encode("received:")

/** Whether a field begins here, in any case of its letters. */
const isReceived = (bytes: Uint8Array, from: number): boolean =>
  received.every((letter, at) => ((bytes[from + at] ?? 0) | (letter > 96 ? 32 : 0)) === letter)

/** The octets of a message without its `Received` fields, which each server on the way adds. */
const withoutTrace = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const kept: Array<Uint8Array> = []
  let from = 0
  let start = 0
  for (let end = lineEnd(bytes, 0); from < bytes.length; end = lineEnd(bytes, from)) {
    const length = end - from
    if (length === 1 || (length === 2 && bytes[from] === 13)) break
    while (end < bytes.length && (bytes[end] === 32 || bytes[end] === 9)) end = lineEnd(bytes, end)
    if (isReceived(bytes, from)) {
      kept.push(bytes.subarray(start, from))
      start = end
    }
    from = end
  }
  return [...kept, bytes.subarray(start)]
}

const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0]
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const refusedFault = ({ status, message }: SubmissionFault) => refused(554, status, message)

/** A defect is not the fault of the message: the client keeps it and tries again. */
const outageAs = (code: number, status: string) =>
  Effect.catchDefect(
    Effect.fnUntraced(function* (defect: unknown): Effect.fn.Return<never, SubmissionRefused> {
      if (isDiskFull(defect)) yield* noteFull
      if (isDiskFull(defect) || defect instanceof Overloaded) {
        return yield* refused(452, "4.3.1", "No room for the message at the moment, try again later")
      }
      yield* isOutage(defect)
        ? Effect.logWarning("A submission could not be handled: storage cannot be reached", defect)
        : Effect.logError("A submission failed", defect)
      return yield* refused(code, status, "Try again later")
    })
  )

export type Needs =
  | Digest.Digest
  | IdempotencyKeys
  | Projects
  | RateLimiter
  | SecureRandom.SecureRandom
  | Sending
  | SqlClient.SqlClient
  | Transaction

export const layer: Layer.Layer<Submission, never, Needs> = Layer.effect(
  Submission,
  Effect.gen(function* () {
    const attempts = yield* Attempts.make
    const digest = yield* Digest.Digest
    const limiter = yield* RateLimiter
    const oncePerKey = yield* OncePerKey.make
    const projects = yield* Projects
    const random = yield* SecureRandom.SecureRandom
    const sending = yield* Sending
    const work = yield* TextWork
    const settings = yield* Settings

    /** The only place that decides whether a key may submit mail from an address. */
    const authenticate = Effect.fnUntraced(function* (key: string, address: string) {
      const found = yield* projects.authenticate("secret", key, "SMTP")
      const refusal = found.apiKey && keyRefusal(found.apiKey, "send", address)
      return refusal === undefined ? found : yield* refusal
    })

    const refuseLogin = ({ message, reason }: Forbidden | InvalidApiKey) =>
      refused(
        535,
        "5.7.8",
        reason === "missing" || reason === "malformed" || reason === "public"
          ? "The password must be the secret key of the project, or an API key"
          : message
      )

    const countFailure = Effect.fnUntraced(function* (client: string) {
      const now = yield* DateTime.now
      const { submissionBlock, submissionLogin } = Attempts.limits
      yield* attempts.take(submissionLogin, client, now)
      if (Option.isSome(yield* attempts.wait(submissionLogin, client, now))) {
        yield* attempts.take(submissionBlock, client, now)
      }
    })

    const logIn = Effect.fn("Submission.logIn")(
      function* (password: string, address: string) {
        const client = ClientLimit.clientOf(address)
        const wait = yield* attempts.wait(Attempts.limits.submissionBlock, client, yield* DateTime.now)
        if (Option.isSome(wait)) return yield* blocked
        const { id } = yield* authenticate(password, address).pipe(
          Effect.tapError(() => Effect.andThen(countFailure(client), Effect.sleep(pause))),
          Effect.mapError(refuseLogin)
        )
        return { project: id, key: Redacted.make(password), address } satisfies SubmissionLogin
      },
      outageAs(454, "4.7.0")
    )

    const begin = Effect.fn("Submission.begin")(
      function* ({ address, key }: SubmissionLogin) {
        const project = yield* Effect.mapError(authenticate(Redacted.value(key), address), refuseLogin)
        if (project.resetting) return yield* refused(451, "4.3.0", "The project is being reset, try again later")
        if (project.disabled !== null) return yield* refused(451, "4.7.1", "The project is disabled")
        const wait = yield* limiter.takeMessage(project.id, project.apiKey)
        if (Option.isSome(wait)) {
          return yield* refused(451, "4.7.1", `Too many messages, try again in ${wait.value} seconds`)
        }
      },
      outageAs(451, "4.3.0")
    )

    const read = Effect.fnUntraced(function* (bytes: Uint8Array): Effect.fn.Return<SubmittedMail, SubmissionRefused> {
      const found = yield* isLarge(bytes)
        ? Effect.mapError(work.run("submission", bytes), () => faulty("The message takes too long to read"))
        : Effect.promise(() => readSubmission(bytes))
      return found.ok ? found.value : yield* refusedFault(found.fault)
    })

    const filesOf = Effect.fnUntraced(function* ({ files }: SubmittedMail) {
      const { maxAttachmentBytes } = settings
      if (files.reduce((sum, { content }) => sum + content.length, 0) > maxAttachmentBytes) {
        return yield* faulty(`At most ${maxAttachmentBytes} bytes in all attachments.`)
      }
      return yield* Effect.forEach(files, (file) =>
        Effect.map(random.uuidV7(), (id): AttachedFile => ({ ...file, id, size: file.content.length }))
      )
    })

    const hexOf = (bytes: Uint8Array) => Effect.orDie(digest.digestHex(Digest.sha256, bytes))
    const hexOfText = (text: string) => hexOf(new TextEncoder().encode(text))

    /** Equal for a message that is transmitted again. */
    const octetsDigest = Effect.fnUntraced(function* ({ bytes, recipients }: SubmittedMessage) {
      const content = yield* hexOf(concat(withoutTrace(bytes)))
      return yield* hexOfText(`${content}\n${[...recipients].sort().join("\n")}`)
    })

    /** Equal for messages with the same content, although their ids, dates and boundaries differ. */
    const contentDigest = Effect.fnUntraced(function* (mail: SubmittedMail, { recipients }: SubmittedMessage) {
      const { files, messageId: _, headers, ...content } = mail
      const given = yield* Effect.forEach(files, ({ content, ...file }) =>
        Effect.map(hexOf(content), (hash) => ({ ...file, hash }))
      )
      const others = headers.filter(([name]) => !/^(?:received|date|message-id|content-.*|mime-version)$/i.test(name))
      return yield* hexOfText(
        `SMTP submission\n${canonicalJson({ ...content, headers: others, files: given, recipients: [...recipients].sort() })}`
      )
    })

    /** The key was used before. */
    const again = (fingerprint: string, { body, fingerprint: first, status }: FirstUse) => {
      if (first !== fingerprint) return faulty("The idempotency key was used for another message")
      if (status === null || body === null) return refused(451, "4.5.0", "The same message is being accepted")
      return Effect.succeed(body as EmailId)
    }

    const submit = Effect.fn("Submission.submit")(
      function* (login: SubmissionLogin, message: SubmittedMessage) {
        const { apiKey } = yield* Effect.mapError(authenticate(Redacted.value(login.key), login.address), refuseLogin)
        const mail = yield* read(message.bytes)
        const { idempotencyKey, input, submitted } = yield* Effect.fromResult(
          submittedRequest(mail, message.recipients)
        )
        const attachments = yield* filesOf(mail)
        const accepted = Effect.mapError(
          sending.submit(login.project, input, { ...submitted, attachments }, apiKey),
          replyTo
        )
        if (idempotencyKey === undefined && mail.messageId === null) return yield* accepted
        const fingerprint = yield* idempotencyKey === undefined ? octetsDigest(message) : contentDigest(mail, message)
        const once = yield* oncePerKey(
          {
            project: login.project,
            key: storedKey({ kind: "key", ...(apiKey && { apiKey }) }, idempotencyKey ?? derivedKey(fingerprint)),
            request: "SMTP submission",
            fingerprint
          },
          accepted,
          (id) => ({ status: 250, body: id })
        )
        return once.isFirst ? once.value : yield* again(fingerprint, once.first)
      },
      outageAs(451, "4.3.0")
    )

    const place = yield* Ref.make(Option.none<Listening>())
    return Submission.of({
      logIn,
      begin,
      submit,
      opened: (listening) => Ref.set(place, Option.some(listening)),
      listening: Ref.get(place)
    })
  })
)
