/** Test helpers: forms, their tickets, and submissions as browsers and programs send them. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { solve } from "../../../forms-script/Search.ts"
import { clientHeader, Wire } from "../../testing/TestClient.ts"
import type { TestProject } from "../segments/SegmentsFixture.ts"

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  readonly json: any
}

/** A request without a key. */
export const visit = Effect.fnUntraced(function* (
  path: string,
  init: RequestInit = {}
): Effect.fn.Return<Answered, never, Wire> {
  const handler = yield* Wire
  const response = yield* Effect.promise(() => handler(new Request(`http://posthorn${path}`, init)))
  const text = yield* Effect.promise(() => response.text())
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
})

export const newForm = Effect.fnUntraced(function* ({ ask }: Pick<TestProject, "ask">, more: object = {}) {
  const { status, body } = yield* ask("POST", "/forms", { name: "Newsletter", ...more })
  if (status !== 201) return yield* Effect.die(new Error(JSON.stringify(body)))
  return { ...body, path: `/f/${body.publicId}` }
})

type TestForm = Effect.Success<ReturnType<typeof newForm>>

/** A solved ticket that is as old as a person needs. */
export const ticketOf = Effect.fnUntraced(function* ({ path }: TestForm, language = "en") {
  const { json } = yield* visit(`${path}/definition?lang=${language}`)
  const ticket = yield* Effect.promise(() => solve(json.challenge))
  yield* TestClock.adjust("3 seconds")
  return ticket ?? ""
})

export const postJson = ({ path }: TestForm, body: unknown, headers: Record<string, string> = {}) =>
  visit(path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers }
  })

/** As a browser sends the form of a page. */
export const postForm = (
  { path }: TestForm,
  fields: Record<string, string> | ReadonlyArray<readonly [string, string]>,
  headers: Record<string, string> = {}
) =>
  visit(path, {
    method: "POST",
    body: new URLSearchParams(fields as Record<string, string>),
    headers: { origin: "null", ...headers }
  })

/** A submission as `/forms.js` sends it. */
export const submit = Effect.fnUntraced(function* (form: TestForm, values: object, language = "en") {
  return yield* postJson(form, { ...values, ticket: yield* ticketOf(form, language) })
})

/** The value of a hidden field of a page. */
export const hidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ""

export const from = (address: string) => ({ [clientHeader]: address })
