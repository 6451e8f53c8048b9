/**
 * `/f/{publicId}`: the page of a sign-up form, its definition for scripts, and the submission; and `/forms.js`. They need
 * no key and no cookie, and the page works without script.
 */
import { Forbidden } from "@posthorn/contract/platform/Auth"
import { RateLimitExceeded, ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, type Layer, Option, Result } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import { respondRefusal } from "../../platform/http/Respond.ts"
import { inContext } from "../../platform/http/Routes.ts"
import { LinkHostRequest } from "../../platform/links/LinkHostRequest.ts"
import { Settings } from "../../platform/Settings.ts"
import type { Html } from "../../platform/web/Html.ts"
import { languageOf } from "../../platform/web/Languages.ts"
import { busy, type PageContext } from "../../platform/web/PageHtml.ts"
import { acceptedLanguages, makePageLimit, place, policy, respondPage } from "../../platform/web/PageRequest.ts"
import { pageWords } from "../../platform/web/PageWords.ts"
import { isJsonRequest, readBody } from "./FormBody.ts"
import * as FormLimits from "./FormLimits.ts"
import * as FormPageHtml from "./FormPageHtml.ts"
import { formsScript } from "./FormScript.generated.ts"
import type { PublicForm } from "./FormStore.ts"
import { countSubmission, FormSubmissions } from "./FormSubmissions.ts"
import { languageTag, type SpokenForm } from "./FormTexts.ts"
import { type FormSubmission, type GivenFields, honeypotOf, readFormSubmission } from "./FormValues.ts"
import { formWords } from "./FormWords.ts"

const isPublicId = (text: string) => /^[\w-]{22}$/.test(text)

const script = HttpServerResponse.text(formsScript, {
  contentType: "text/javascript; charset=utf-8",
  headers: { "cache-control": "public, max-age=300", "cross-origin-resource-policy": "cross-origin" }
})

const parameter = (name: string) =>
  Effect.map(HttpServerRequest.ParsedSearchParams, (query) => {
    const value = query[name]
    return typeof value === "string" ? value : undefined
  })

/** What a visit has in common for all its answers. */
interface Visit {
  readonly form: PublicForm
  readonly place: PageContext
  /** The language of the texts of the form, which may be one that the service does not speak. */
  readonly language: string
  readonly spoken: SpokenForm
}

const makeRoutes = Effect.gen(function* () {
  const readers = yield* BodyReaders
  const submissions = yield* FormSubmissions
  const { publicUrl } = yield* Settings
  const limits = yield* FormLimits.make
  const here = yield* inContext
  const limited = makePageLimit()
  const ownOrigin = new URL(publicUrl).origin

  const formOf = Effect.gen(function* () {
    const { publicId = "" } = yield* HttpRouter.params
    const onHost = yield* LinkHostRequest
    const found = isPublicId(publicId) ? yield* submissions.look(publicId) : Option.none<PublicForm>()
    return Option.filter(found, ({ projectId }) => onHost === undefined || onHost.projects.has(projectId))
  })

  /** The languages that the visitor asks for, first the one of the request, then those of the browser. */
  const visitOf = Effect.fnUntraced(function* (form: PublicForm, asked?: unknown) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const accepted = acceptedLanguages(headers["accept-language"])
    const lang = languageTag(asked) ?? languageTag(yield* parameter("lang"))
    const wished = [lang, ...accepted]
    const where = { ...(yield* place()), language: languageOf(...wished, form.language) }
    const language = lang ?? where.language
    const spoken = yield* submissions.speak(form, language)
    const brand = yield* submissions.brand(form)
    return { form, place: { ...where, brand }, language, spoken } satisfies Visit
  })

  const show = ({ form: { settings }, place: where }: Visit, page: Html, status = 200) =>
    respondPage(page, status, {
      "content-security-policy": policy({
        hasScript: true,
        logoUrl: where.brand?.logoUrl ?? null,
        formTargets: [settings.redirectUrl]
      })
    })

  const gone = (isJson: boolean) =>
    Effect.gen(function* () {
      if (isJson) {
        const { publicId = "" } = yield* HttpRouter.params
        return yield* respondRefusal(
          new ResourceNotFound({ resource: "form", id: publicId.slice(0, 100).toWellFormed() })
        )
      }
      return respondPage(FormPageHtml.gonePage(yield* place()), 404)
    })

  /** The origin of a page that may send the form, for the answer that the page reads. */
  const readableBy = (form: PublicForm, origin: string | undefined): Record<string, string> => {
    const { allowedOrigins } = form.settings
    if (allowedOrigins.length === 0) return { "access-control-allow-origin": "*" }
    return origin !== undefined && allowedOrigins.includes(origin)
      ? { "access-control-allow-origin": origin, vary: "Origin" }
      : { vary: "Origin" }
  }

  const mayRead = Effect.fnUntraced(function* (form: PublicForm, response: HttpServerResponse.HttpServerResponse) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    return HttpServerResponse.setHeaders(response, readableBy(form, headers["origin"]))
  })

  /** A page that is opened without a referrer says `null`. Another form of spam protection judges those. */
  const isForeign = (form: PublicForm, origin: string | undefined) => {
    const { allowedOrigins } = form.settings
    return (
      origin !== undefined &&
      origin !== "null" &&
      origin !== ownOrigin &&
      allowedOrigins.length > 0 &&
      !allowedOrigins.includes(origin)
    )
  }

  const get = Effect.gen(function* () {
    const form = yield* formOf
    if (Option.isNone(form)) return yield* gone(false)
    const visit = yield* visitOf(form.value)
    return show(visit, FormPageHtml.formPage(visit.place, visit))
  }).pipe(limited)

  const definition = Effect.gen(function* () {
    const form = yield* formOf
    if (Option.isNone(form)) return yield* gone(true)
    const { place: where, language, spoken } = yield* visitOf(form.value)
    const { publicId, version, settings } = form.value
    const words = formWords[where.language]
    const body = {
      publicId,
      version,
      language: where.language,
      texts: {
        title: spoken.title,
        description: spoken.description,
        button: spoken.button ?? pageWords[where.language].subscribe.button,
        success: spoken.success ?? formWords[where.language].done.text,
        consentText: spoken.consentText
      },
      consentRequired: settings.consentRequired,
      fields: settings.fields,
      topics: spoken.topics,
      redirectUrl: settings.redirectUrl,
      honeypot: honeypotOf(settings.fields),
      words: {
        email: words.email,
        optional: words.optional,
        topics: words.topics,
        leaveEmpty: words.leaveEmpty,
        busy: pageWords[where.language].busy.text,
        faults: words.faults
      },
      challenge: yield* submissions.challenge(form.value, language)
    }
    return yield* mayRead(form.value, HttpServerResponse.jsonUnsafe(body, { headers: { "cache-control": "no-store" } }))
  }).pipe(limited)

  /** The answer to a submission that was stored, and to one that was taken for spam. */
  const received = Effect.fnUntraced(function* (visit: Visit, isJson: boolean) {
    const { form, place: where, spoken } = visit
    if (isJson) {
      const message = spoken.success ?? formWords[where.language].done.text
      return yield* mayRead(
        form,
        HttpServerResponse.jsonUnsafe({ success: true, data: { status: "received", message } })
      )
    }
    const { redirectUrl } = form.settings
    if (redirectUrl !== null) {
      return HttpServerResponse.empty({
        status: 303,
        headers: { location: redirectUrl, "referrer-policy": "no-referrer", "cache-control": "no-store" }
      })
    }
    return show(visit, FormPageHtml.donePage(where, visit))
  })

  const refused = Effect.fnUntraced(function* (visit: Visit, given: GivenFields, error: ValidationError) {
    yield* countSubmission("invalid")
    if (given.isJson) return yield* Effect.flatMap(respondRefusal(error), (response) => mayRead(visit.form, response))
    const { errors: faults } = error
    return show(visit, FormPageHtml.formPage(visit.place, { ...visit, given, faults }), 422)
  })

  const noTicket = new ValidationError({
    errors: [
      { field: "ticket", code: "custom", message: "The solution of the challenge of the definition is missing." }
    ]
  })

  const accept = Effect.fnUntraced(function* (
    visit: Visit,
    given: GivenFields,
    submitted: FormSubmission,
    text: string
  ) {
    const { form, place: where, language } = visit
    const ticket = Option.getOrUndefined(yield* submissions.ticketOf(form, text))
    if (ticket === undefined && form.settings.requireTicket) {
      yield* countSubmission("step")
      if (given.isJson) {
        return yield* Effect.flatMap(respondRefusal(noTicket), (response) => mayRead(form, response))
      }
      const fresh = yield* submissions.ticketFor(form, language)
      return show(visit, FormPageHtml.stepPage(where, { ...visit, given }, fresh))
    }
    const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const result = yield* submissions.submit(form, submitted, {
      ticket,
      language,
      ip: Option.getOrUndefined(remoteAddress),
      userAgent: headers["user-agent"]
    })
    yield* countSubmission(result)
    return yield* received(visit, given.isJson)
  })

  const limitedBy = Effect.fnUntraced(function* (form: PublicForm, isJson: boolean, wait: number) {
    yield* countSubmission("limited")
    const limit = FormLimits.submissionsOfNetwork
    const response = isJson
      ? yield* Effect.flatMap(respondRefusal(new RateLimitExceeded({ limit, retryAfter: wait })), (sent) =>
          mayRead(form, sent)
        )
      : respondPage(busy(yield* place()), 429)
    return HttpServerResponse.setHeader(response, "retry-after", String(wait))
  })

  const post = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const isJson = isJsonRequest(request)
    const found = yield* formOf
    if (Option.isNone(found)) return yield* gone(isJson)
    const form = found.value
    if (isForeign(form, request.headers["origin"])) {
      yield* countSubmission("forbidden")
      return isJson
        ? yield* respondRefusal(new Forbidden({ reason: "origin" }))
        : respondPage(FormPageHtml.forbiddenPage(yield* place()), 403)
    }
    const wait = yield* limits.take(form.publicId, Option.getOrUndefined(request.remoteAddress))
    if (Option.isSome(wait)) return yield* limitedBy(form, isJson, wait.value)
    const given = yield* readBody(readers)
    const visit = yield* visitOf(form, given.all("lang").at(-1))
    const honey = given.all(honeypotOf(form.settings.fields)).at(-1)
    if (honey !== undefined && honey !== null && honey !== "") {
      yield* submissions.noteSpam(form)
      yield* countSubmission("spam")
      return yield* received(visit, given.isJson)
    }
    const reading = readFormSubmission(given, {
      fields: form.settings.fields,
      choices: visit.spoken.topics.filter(({ mode }) => mode === "choice").map(({ key }) => key),
      consentRequired: form.settings.consentRequired
    })
    if (Result.isFailure(reading)) {
      return yield* refused(visit, given, new ValidationError({ errors: reading.failure }))
    }
    const text = given.all("ticket").at(-1)
    return yield* accept(visit, given, reading.success, typeof text === "string" ? text : "")
  }).pipe(
    Effect.catchTag(["INVALID_JSON", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_ERROR"], respondRefusal)
  )

  return [
    HttpRouter.route("GET", "/forms.js", script),
    HttpRouter.route("GET", "/f/:publicId", here(get)),
    HttpRouter.route("GET", "/f/:publicId/definition", here(definition)),
    HttpRouter.route("POST", "/f/:publicId", here(post))
  ]
})

export const layer: Layer.Layer<never, never, BodyReaders | FormSubmissions | HttpRouter.HttpRouter> =
  HttpRouter.addAll(makeRoutes)
