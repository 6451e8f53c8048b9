/**
 * `/public/preferences/{token}`: the preferences as JSON, for a page of the project's own. Any origin may call it,
 * because the token alone says who the recipient is.
 */
import {
  AskAboutData,
  type AskedAboutData,
  Preferences,
  UpdatePreferences
} from "@posthorn/contract/audience/preferences/Preferences"
import {
  type Fault,
  InvalidJson,
  RateLimitExceeded,
  ResourceNotFound,
  UnsupportedMediaType,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import { bodyWithin, isIdentity, isJson, jsonIn } from "../../platform/http/BodyWithin.ts"
import { faultsOf } from "../../platform/http/Faults.ts"
import { unstorableText } from "../../platform/http/JsonText.ts"
import { respondRefusal } from "../../platform/http/Respond.ts"
import { LinkHostRequest } from "../../platform/links/LinkHostRequest.ts"
import { PublicLinks } from "../../platform/links/PublicLinks.ts"
import { type Language, languageOf } from "../../platform/web/Languages.ts"
import { masked } from "../../platform/web/PageHtml.ts"
import { requestsPerMinute } from "../../platform/web/PageRequest.ts"
import * as PrivacyRequests from "../privacy/PrivacyRequests.ts"
import { wordsIn } from "../topics/TopicOfMail.ts"
import { pageClient } from "./PageClient.ts"
import * as Pages from "./Pages.ts"
import { maxSnoozeDays } from "./PageWish.ts"

/** Bytes. The longest text of a body has 4,000 characters. */
const maxBody = 32 * 1024
/** More than any body has. */
const most = { nesting: 100, values: 500 }

/** The answer to more requests than a person would send. */
export const overLimit = (retryAfter: number): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  respondRefusal(new RateLimitExceeded({ limit: requestsPerMinute, retryAfter }))

const encode = Schema.encodeEffect(Preferences)
const decode = Schema.decodeUnknownEffect(UpdatePreferences, { errors: "all", reportInput: true })

const decodeAsked = Schema.decodeUnknownEffect(AskAboutData, { errors: "all", reportInput: true })

const received: AskedAboutData = {
  status: "received",
  message: "A mail with a link to confirm is sent to the address, unless one was sent in the last 24 hours."
}

const shown = (state: Pages.PageState, language: Language): Preferences => {
  const { settings, mail, suppression } = state
  const { name, logoUrl, color, privacyUrl } = settings.pages
  return {
    project: { name: name ?? state.projectName, logoUrl, color, privacyUrl },
    email: masked(state.email),
    locale: state.locale,
    language,
    subscribed: state.subscribed,
    snoozedUntil: state.snoozedUntil,
    test: mail?.test === true,
    topics: state.topics.map((topic) => {
      const { name, description } = wordsIn(topic, language)
      return { key: topic.key, name, description, state: topic.state, takes: topic.takes }
    }),
    selfService: settings.selfService,
    blocked: suppression !== null
  }
}

const snoozeOf = ({ snoozeDays, snoozedUntil }: UpdatePreferences, now: DateTime.Utc) =>
  snoozeDays == null ? snoozedUntil : DateTime.add(now, { days: snoozeDays })

const faultsIn = (
  input: UpdatePreferences,
  { topics: offered }: Pages.PageState,
  now: DateTime.Utc
): ReadonlyArray<Fault> => {
  const { topics, snoozeDays, snoozedUntil } = input
  const known = new Set(offered.map(({ key }) => key))
  const unknown = Object.keys(topics ?? {}).filter((key) => !known.has(key))
  const latest = DateTime.add(now, { days: maxSnoozeDays })
  return [
    ...unknown.map((key): Fault => ({ field: `topics.${key}`, code: "custom", message: "No topic of this page." })),
    ...(snoozeDays != null && snoozedUntil !== undefined
      ? [{ field: "snoozeDays", code: "custom", message: "Not together with `snoozedUntil`." } as const]
      : []),
    ...(snoozedUntil != null && !DateTime.isGreaterThan(snoozedUntil, now)
      ? [{ field: "snoozedUntil", code: "too_small", message: "Must be later than now." } as const]
      : []),
    ...(snoozedUntil != null && DateTime.isGreaterThan(snoozedUntil, latest)
      ? [{ field: "snoozedUntil", code: "too_big", message: `At most ${maxSnoozeDays} days ahead.` } as const]
      : [])
  ]
}

/** As a form of the page does: who takes a topic is subscribed, unless the body says otherwise. */
const wishIn = (
  input: UpdatePreferences,
  { topics: offered, locale }: Pages.PageState,
  now: DateTime.Utc
): Pages.Wish => {
  const said = Object.entries(input.topics ?? {})
  const idOf = new Map(offered.map(({ key, id }) => [key, id]))
  const joins = said.some(([, state]) => state === "subscribed")
  const subscribed = input.subscribed ?? (joins ? true : undefined)
  const snoozedUntil = snoozeOf(input, now)
  return {
    topics: Object.fromEntries(said.map(([key, state]) => [idOf.get(key) ?? key, state])),
    ...(subscribed !== undefined && { subscribed }),
    ...(snoozedUntil !== undefined && { snoozedUntil }),
    ...(input.locale != null && input.locale !== locale && { locale: input.locale })
  }
}

export const make = Effect.gen(function* () {
  const links = yield* PublicLinks
  const readers = yield* BodyReaders
  const pages = yield* Pages.make
  const requests = yield* PrivacyRequests.make

  const missing = Effect.gen(function* () {
    const { token = "" } = yield* HttpRouter.params
    return yield* respondRefusal(
      new ResourceNotFound({ resource: "preferences", id: token.slice(0, 200).toWellFormed() })
    )
  })

  /** The token is that of the page of preferences. */
  const bearer = Effect.gen(function* () {
    const { token = "" } = yield* HttpRouter.params
    const onHost = yield* LinkHostRequest
    return Option.filter(
      yield* links.read("manage", token),
      ({ project }) => onHost === undefined || onHost.projects.has(project)
    )
  })

  const show = Effect.fnUntraced(function* (opened: Option.Option<Pages.OpenedLink>) {
    if (Option.isNone(opened)) return yield* missing
    const { state } = opened.value
    const { lang } = yield* HttpServerRequest.ParsedSearchParams
    const language = languageOf(lang, state.locale, state.language)
    return HttpServerResponse.jsonUnsafe(yield* Effect.orDie(encode(shown(state, language))), {
      headers: { "cache-control": "no-store" }
    })
  })

  const body = Effect.fnUntraced(function* <A>(decode: (value: unknown) => Effect.Effect<A, Schema.SchemaError>) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const read = yield* readers.read(maxBody, bodyWithin(request, maxBody))
    const isEmpty = read.byteLength === 0
    if (!isEmpty && (!isJson(request.headers["content-type"]) || !isIdentity(request.headers["content-encoding"]))) {
      return yield* new UnsupportedMediaType()
    }
    const json = isEmpty ? Option.some({ text: "{}", value: {} }) : jsonIn(new Uint8Array(read), most)
    if (Option.isNone(json)) return yield* new InvalidJson()
    const { text, value } = json.value
    const unstorable = unstorableText(text)
    if (unstorable.length > 0) return yield* new ValidationError({ errors: unstorable.slice(0, 50) })
    return yield* Effect.mapError(decode(value), ({ issue }) => new ValidationError({ errors: faultsOf(issue) }))
  })

  const get = Effect.gen(function* () {
    const found = yield* bearer
    return yield* Option.isNone(found) ? missing : Effect.flatMap(pages.look(found.value), show)
  })

  const patch = Effect.gen(function* () {
    const found = yield* bearer
    if (Option.isNone(found)) return yield* missing
    const input = yield* body(decode)
    const now = yield* DateTime.now
    let faults: ReadonlyArray<Fault> = []
    const { lang } = yield* HttpServerRequest.ParsedSearchParams
    const wishOf = Effect.fnUntraced(function* (state: Pages.PageState) {
      faults = faultsIn(input, state, now)
      if (faults.length > 0) return undefined
      const language = languageOf(lang, state.locale, state.language)
      const wording = input.wording ? { text: input.wording, language } : undefined
      return { wish: wishIn(input, state, now), proof: { ...(yield* pageClient), wording } }
    })
    const opened = yield* pages.act(found.value, wishOf, "page")
    if (faults.length > 0) return yield* new ValidationError({ errors: faults.slice(0, 50) })
    return yield* show(opened)
  }).pipe(
    Effect.catchTag(["INVALID_JSON", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_ERROR"], respondRefusal)
  )

  /** Always the same answer: a person with the link may not be its recipient. */
  const ask = Effect.gen(function* () {
    const found = yield* bearer
    const opened = Option.isNone(found) ? Option.none() : yield* pages.look(found.value)
    if (Option.isNone(opened)) return yield* missing
    const { holder, state } = opened.value
    if (!PrivacyRequests.offered(state.settings)) return yield* missing
    const { type } = yield* body(decodeAsked)
    if (!PrivacyRequests.offers(state.settings, type)) return yield* missing
    yield* requests.ask(holder, state, type)
    return HttpServerResponse.jsonUnsafe(received, { status: 202, headers: { "cache-control": "no-store" } })
  }).pipe(
    Effect.catchTag(["INVALID_JSON", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_ERROR"], respondRefusal)
  )

  return { get, patch, ask }
})
