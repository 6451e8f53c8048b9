/**
 * `/ingest/*`: events from analytics libraries that speak the Segment protocol, unchanged but for their settings. Routes
 * outside of the API: several libraries, several shapes, one meaning.
 */
import { PayloadTooLarge, ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, type Layer, Predicate } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type AdmittedKey, anyKey, type KeyServices } from "../../accounts/projects/ProjectAuthHttp.ts"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import { refusals, respondRefusal, routeNotFound } from "../../platform/http/Respond.ts"
import { inContext } from "../../platform/http/Routes.ts"
import { Settings } from "../../platform/Settings.ts"
import * as PublicCalls from "../events/PublicCalls.ts"
import { rudderSettings, segmentSettings } from "./ClientSettings.ts"
import * as Ingest from "./Ingest.ts"
import { bodyLimit, readIngestBody } from "./IngestBody.ts"
import { type MessageType, messageTypes } from "./Messages.ts"
import { writeKeyIn } from "./WriteKey.ts"

/** The most messages of a request. */
export const maxMessages = 2_500

/** What a path names: the type of its one message, or a list of messages. */
type Named = MessageType | "batch" | "import"

const shortNames: { readonly [letter: string]: Named } = {
  i: "identify",
  t: "track",
  p: "page",
  s: "screen",
  g: "group",
  a: "alias",
  b: "batch"
}

const named = (text: string): Named | undefined =>
  Object.hasOwn(shortNames, text)
    ? shortNames[text]
    : [...messageTypes, "batch" as const, "import" as const].find((name) => name === text)

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  Predicate.isObject(value) && !Array.isArray(value)

/** The messages of a body. A single message is a list of one. */
const messagesIn = (name: Named, body: unknown) => {
  if (name !== "batch" && name !== "import") return Effect.succeed([body])
  const batch = isRecord(body) ? body["batch"] : undefined
  return Array.isArray(batch)
    ? Effect.succeed(batch as ReadonlyArray<unknown>)
    : Effect.fail(ValidationError.one("batch", "invalid_type", "Expected a list of messages."))
}

/** Whom a message of a public call is about, for the limits of such calls. */
const namesIn = (messages: ReadonlyArray<unknown>) =>
  new Set(
    messages.flatMap((message) => {
      if (!isRecord(message)) return []
      const name = message["userId"] ?? message["anonymousId"]
      return Predicate.isString(name) ? [name.slice(0, 200)] : []
    })
  )

const makeRoutes = Effect.gen(function* () {
  const admit = yield* anyKey
  const calls = yield* PublicCalls.make
  const ingest = yield* Ingest.make
  const readers = yield* BodyReaders
  const { publicUrl } = yield* Settings
  const here = yield* inContext

  const keyOf = Effect.fnUntraced(function* (body: unknown) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const query = yield* HttpServerRequest.ParsedSearchParams
    return writeKeyIn({
      authorization: headers["authorization"],
      header: headers["x-write-key"],
      body: isRecord(body) ? body["writeKey"] : undefined,
      query: query["writeKey"]
    })
  })

  const limitPublic = Effect.fnUntraced(function* ({ id, policy }: AdmittedKey, messages: ReadonlyArray<unknown>) {
    if (policy === undefined) return
    for (const name of namesIn(messages)) yield* calls.take(id, name)
  })

  const receive = (name: Named) =>
    Effect.gen(function* () {
      const body = yield* readIngestBody(readers)
      const project = yield* admit(yield* keyOf(body), "ingest")
      const messages = yield* messagesIn(name, body)
      if (messages.length > maxMessages) return yield* new PayloadTooLarge({ limitBytes: bodyLimit })
      yield* limitPublic(project, messages)
      const request = {
        messages,
        type: name === "batch" || name === "import" ? undefined : name,
        sentAt: isRecord(body) ? body["sentAt"] : undefined,
        isHistory: name === "import"
      }
      const data = yield* ingest.accept(project.id, request, project.policy)
      return HttpServerResponse.jsonUnsafe(
        { success: true, ok: true, data },
        { headers: { "cache-control": "no-store" } }
      )
    }).pipe(Effect.scoped, Effect.catchTag(refusals, respondRefusal))

  const byType = Effect.gen(function* () {
    const { type = "" } = yield* HttpRouter.params
    const name = named(type)
    return yield* name === undefined ? routeNotFound : receive(name)
  })

  const settingsOf = Effect.gen(function* () {
    const { writeKey = "" } = yield* HttpRouter.params
    return HttpServerResponse.jsonUnsafe(segmentSettings(new URL(publicUrl), writeKey.split(":", 1)[0] ?? ""))
  })

  const sourceConfig = Effect.map(keyOf(undefined), (key) => HttpServerResponse.jsonUnsafe(rudderSettings(key)))

  return [
    HttpRouter.route("GET", "/ingest/v1/projects/:writeKey/settings", here(settingsOf)),
    HttpRouter.route("GET", "/ingest/sourceConfig", here(sourceConfig)),
    HttpRouter.route("POST", "/ingest/beacon/v1/batch", here(receive("batch"))),
    HttpRouter.route("POST", "/ingest/v1/:type", here(byType)),
    HttpRouter.route("POST", "/ingest/api/s/:type", here(byType)),
    HttpRouter.route("POST", "/ingest/api/s/s2s/:type", here(byType))
  ]
})

export const layer: Layer.Layer<never, never, BodyReaders | HttpRouter.HttpRouter | Ingest.Needs | KeyServices> =
  HttpRouter.addAll(makeRoutes)
