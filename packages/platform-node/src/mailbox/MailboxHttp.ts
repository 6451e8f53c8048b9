/** The dev mailbox over HTTP: pages for people, JSON for tests, and the raw messages. */
import { BadRequest, envelope, ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { AtLeastOne, Id, PageQuery, pageSize, Search } from "@posthorn/contract/platform/Primitives"
import { faultsOf } from "@posthorn/core/platform/http/Faults"
import { respond } from "@posthorn/core/platform/http/Respond"
import type { Html } from "@posthorn/core/platform/web/Html"
import { DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { inRealTime } from "../RealTime.ts"
import { type DevPages, devOnly } from "./DevOnly.ts"
import { devHeaders, respondHtml } from "./DevPage.ts"
import { listPage, mailPage, mailsOnPage, missingPage } from "./MailboxPages.ts"
import { mailboxScript } from "./MailboxScript.ts"
import { type Entry, MailboxStore } from "./MailboxStore.ts"
import { mailboxStyle } from "./MailboxStyle.ts"
import { type MailContent, readMail } from "./MailContent.ts"
import { linksOf } from "./MailLinks.ts"
import { previewOf, previewPolicy } from "./MailPreview.ts"

const routes = Effect.gen(function* () {
  const store = yield* MailboxStore

  /** The email in the path, parsed. */
  const open = Effect.fn("MailboxHttp.open")(function* (id: string) {
    const entry = yield* store.find(id)
    const source = yield* store.read(id)
    if (Option.isNone(entry) || Option.isNone(source)) return Option.none()
    return Option.some({ entry: entry.value, source: source.value, content: yield* readMail(source.value) })
  })

  const listed = Effect.gen(function* () {
    const query = yield* HttpServerRequest.ParsedSearchParams
    const search = first(query["search"]).trim()
    const number = Math.max(1, Math.trunc(Number(first(query["page"]))) || 1)
    const found = yield* store.list({ search, offset: (number - 1) * mailsOnPage, limit: mailsOnPage })
    const markup = listPage({ ...found, search, page: number })
    return respondHtml(markup, { policy: `${policy}; ${ownScript}`, referrer })
  })

  const shown = Effect.gen(function* () {
    const mail = yield* Effect.flatMap(pathId, open)
    if (Option.isNone(mail)) return page(missingPage, 404)
    return page(mailPage(mail.value.entry, mail.value.content, mail.value.source))
  })

  const previewed = Effect.gen(function* () {
    const mail = yield* Effect.flatMap(pathId, open)
    if (Option.isNone(mail)) return page(missingPage, 404)
    return respondHtml(previewOf(mail.value.content), { policy: previewPolicy, referrer: "no-referrer" })
  })

  const raw = Effect.gen(function* () {
    const id = yield* pathId
    const source = yield* store.read(id)
    if (Option.isNone(source)) return yield* notFound(id)
    return HttpServerResponse.uint8Array(source.value, {
      contentType: "message/rfc822",
      headers: { ...devHeaders, "content-disposition": `attachment; filename="${id}.eml"` }
    })
  })

  const json = Effect.gen(function* () {
    const query = yield* Effect.flatMap(HttpServerRequest.ParsedSearchParams, decodeQuery)
    const { content = true, page = 1, to, search, emailId } = query
    const limit = pageSize(query)
    const { entries, total } = yield* store.list({ to, search, emailId, limit, offset: (page - 1) * limit })
    if (!content) {
      return HttpServerResponse.jsonUnsafe({ data: entries.map(summaryOf), total }, { headers: devHeaders })
    }
    const mails = yield* Effect.forEach(entries, ({ id }) => open(id))
    const data = mails.filter(Option.isSome).map(({ value }) => recordOf(value.entry, value.content))
    return HttpServerResponse.jsonUnsafe({ data, total }, { headers: devHeaders })
  }).pipe(Effect.catchTag("SchemaError", ({ issue }) => badRequest(new BadRequest({ errors: faultsOf(issue) }))))

  const record = Effect.gen(function* () {
    const id = yield* pathId
    const mail = yield* open(id)
    if (Option.isNone(mail)) return yield* notFound(id)
    const { entry, content } = mail.value
    const attachments = content.attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      size: content.byteLength
    }))
    return HttpServerResponse.jsonUnsafe({ ...recordOf(entry, content), attachments }, { headers: devHeaders })
  })

  const waited = Effect.gen(function* () {
    const { timeout = 10, ...query } = yield* Effect.flatMap(HttpServerRequest.ParsedSearchParams, decodeWait)
    // In real time, because a service whose clock is advanced still needs time to send its mail.
    const found = yield* inRealTime(Effect.timeoutOption(store.await(query), Duration.seconds(timeout)))
    const mail = Option.isNone(found) ? Option.none() : yield* open(found.value.id)
    if (Option.isNone(mail))
      return HttpServerResponse.jsonUnsafe(noMail(query, timeout), { status: 404, headers: devHeaders })
    const { entry, content } = mail.value
    return HttpServerResponse.jsonUnsafe(
      { ...recordOf(entry, content), links: linksOf(content) },
      { headers: devHeaders }
    )
  }).pipe(Effect.catchTag("SchemaError", ({ issue }) => badRequest(new BadRequest({ errors: faultsOf(issue) }))))

  return [
    HttpRouter.route("GET", "/dev/mailbox", listed),
    HttpRouter.route("GET", "/dev/mailbox/wait", waited),
    HttpRouter.route("GET", "/dev/mailbox.css", style),
    HttpRouter.route("GET", "/dev/mailbox.js", script),
    HttpRouter.route("GET", "/dev/mailbox.json", json),
    HttpRouter.route("DELETE", "/dev/mailbox.json", Effect.as(store.clear, HttpServerResponse.empty())),
    HttpRouter.route("POST", "/dev/mailbox/clear", Effect.as(store.clear, backToList)),
    HttpRouter.route("GET", "/dev/mailbox/:id", shown),
    HttpRouter.route("GET", "/dev/mailbox/:id.eml", raw),
    HttpRouter.route("GET", "/dev/mailbox/:id.json", record),
    HttpRouter.route("GET", "/dev/mailbox/:id.html", previewed)
  ]
})

/** Answers only requests of this machine, to its own names or the host of the public URL (`DevOnly`). */
export const layer = (pages: DevPages): Layer.Layer<never, never, HttpRouter.HttpRouter | MailboxStore> =>
  HttpRouter.addAll(routes).pipe(Layer.provide(devOnly(pages)))

const policy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** The script of the list requests the list again. */
const ownScript = "script-src 'self'; connect-src 'self'"

/** Not `no-referrer`, because browsers would then send `Origin: null` with the form that empties the mailbox. */
const referrer = "same-origin"

const page = (markup: Html, status = 200) => respondHtml(markup, { status, policy, referrer })

const style = HttpServerResponse.text(mailboxStyle, { contentType: "text/css; charset=utf-8", headers: devHeaders })

const script = HttpServerResponse.text(mailboxScript, {
  contentType: "text/javascript; charset=utf-8",
  headers: devHeaders
})

const backToList = HttpServerResponse.redirect("../mailbox", { status: 303 })

const pathId = Effect.map(HttpRouter.params, ({ id = "" }) => id)

const first = (value: string | ReadonlyArray<string> | undefined): string =>
  (typeof value === "string" ? value : value?.[0]) ?? ""

const JsonQuery = Schema.Struct({
  to: Schema.optionalKey(Schema.String),
  search: Schema.optionalKey(Search),
  emailId: Schema.optionalKey(Id),
  page: Schema.optionalKey(AtLeastOne),
  limit: PageQuery.limit,
  /** False: without text, HTML and headers, which are read from the file of each email. */
  content: Schema.optionalKey(Schema.Boolean)
})

const decodeQuery = Schema.decodeUnknownEffect(Schema.toCodecStringTree(JsonQuery), {
  errors: "all",
  reportInput: true
})

const WaitQuery = Schema.Struct({
  to: Schema.optionalKey(Schema.String),
  subject: Schema.optionalKey(Schema.String),
  after: Schema.optionalKey(Schema.String),
  timeout: Schema.optionalKey(
    Schema.Number.check(
      Schema.isBetween({ minimum: 0, maximum: 60 }, { code: "too_big", message: "Must be 0 to 60 seconds." })
    )
  )
})

const decodeWait = Schema.decodeUnknownEffect(Schema.toCodecStringTree(WaitQuery), {
  errors: "all",
  reportInput: true
})

const noMail = ({ to, subject, after }: typeof WaitQuery.Type, seconds: number) => {
  const which = [
    ...(to === undefined ? [] : [` to ${to}`]),
    ...(subject === undefined ? [] : [` with the subject ${subject}`]),
    ...(after === undefined ? [] : [` after ${after}`])
  ].join("")
  const message = `No email${which} arrived within ${seconds} s.`
  return { success: false, error: { code: "RESOURCE_NOT_FOUND", message, statusCode: 404 } }
}

const badRequest = (error: BadRequest) =>
  Schema.encodeEffect(envelope(BadRequest))(error).pipe(Effect.orDie, Effect.map(respond))

const notFound = (id: string) =>
  Schema.encodeEffect(envelope(ResourceNotFound))(new ResourceNotFound({ resource: "mail", id })).pipe(
    Effect.orDie,
    Effect.map(respond)
  )

/** What the mailbox knows of an email without opening it. */
const summaryOf = ({ id, emailId, from, to, subject, receivedAt, size }: Entry) => ({
  id,
  emailId,
  from,
  to,
  subject,
  receivedAt: DateTime.formatIso(receivedAt),
  size
})

/** With its content. Header names are in lower case; a repeated header has its values on separate lines. */
const recordOf = (entry: Entry, { text, html, headers }: MailContent) => {
  const values = new Map<string, string>()
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    const before = values.get(key)
    values.set(key, before === undefined ? value : `${before}\n${value}`)
  }
  return { ...summaryOf(entry), text, html, headers: Object.fromEntries(values) }
}
