/** Runs the samples for curl of the reference against a server, as a reader of the reference does in a shell. */
import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, it as isTrue, layer } from "@effect/vitest"
import { ids as shown, valuesOf } from "@posthorn/contract/service/examples/Ids"
import { requestExamples } from "@posthorn/contract/service/examples/RequestExamples"
import { newFolder } from "@posthorn/core/testing/DataFolder"
import { endpoints, OpenApiDocument } from "@posthorn/docs/document/OpenApiDocument"
import { curlOf, fill, isEvents } from "@posthorn/docs/samples/Samples"
import { Effect, Schema } from "effect"
import { request } from "./testing/Caller.ts"
import { Documented, documented, fresh, freshFor, type Sent } from "./testing/Documented.ts"
import { examples } from "./testing/Examples.ts"
import { password } from "./testing/Installation.ts"
import { deviation, differenceFromExample, operations } from "./testing/Operations.ts"
import { sessionIn } from "./testing/Resources.ts"

/** Operations whose samples need something that a reader must fill in. They get the documented refusal of it. */
const refusals: { readonly [operationId: string]: string | undefined } = {
  "auth.passkey": "INVALID_CREDENTIALS",
  "auth.resetPassword": "INVALID_TOKEN",
  "auth.twoFactor": "INVALID_TOKEN",
  "auth.verifyEmail": "INVALID_TOKEN",
  "billing.checkout": "SERVICE_UNAVAILABLE",
  "billing.portal": "CONFLICT",
  "invited.accept": "INVALID_TOKEN",
  "invited.view": "INVALID_TOKEN",
  "ownInvitations.accept": "RESOURCE_NOT_FOUND",
  "ownInvitations.decline": "RESOURCE_NOT_FOUND",
  "passkeys.add": "INVALID_CREDENTIALS",
  "passkeys.remove": "RESOURCE_NOT_FOUND",
  "accountSessions.remove": "RESOURCE_NOT_FOUND",
  "receivers.notifications": "INVALID_SIGNATURE",
  "receivers.payments": "INVALID_SIGNATURE",
  "transports.create": "VALIDATION_ERROR",
  "twoFactor.confirm": "CONFLICT or INVALID_CREDENTIALS",
  "twoFactor.remove": "CONFLICT"
}

/** Operations with the address or the password of a person, which the server must know. */
const personal = new Set([
  "auth.login",
  "auth.signup",
  "auth.requestPasswordReset",
  "users.changePassword",
  "contacts.merge"
])

const file = new URL("../../../../openapi/openapi.json", import.meta.url)
const document = Schema.decodeUnknownSync(Schema.fromJsonString(OpenApiDocument))(readFileSync(file, "utf8"))
const samples = endpoints(document).map((endpoint) => ({ ...endpoint, id: endpoint.operation.operationId }))

const folder = newFolder()
writeFileSync(join(folder, "people.csv"), "email,plan\nbob@example.com,pro\n")
writeFileSync(
  join(folder, "logo.png"),
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64"
  )
)

/** Runs a sample, and gives the status, the headers and the body of its answer. A stream is read for a second. */
const run = (sample: string, env: Readonly<Record<string, string>>, isEndless = false) =>
  Effect.promise(async () => {
    const limits = isEndless ? "-s -m 1" : "-sS -m 60"
    const wrapper = `curl() { command curl ${limits} -D head.txt -o body.txt -H "X-Forwarded-For: $FROM" "$@"; }`
    const { stderr } = await promisify(execFile)("sh", ["-c", `${wrapper}\n${sample}${isEndless ? "; true" : ""}`], {
      cwd: folder,
      env: { PATH: process.env["PATH"], ...env }
    })
    assert.strictEqual(stderr, "")
    // An answer 100 Continue stands before the answer itself.
    const head = readFileSync(join(folder, "head.txt"), "utf8").trimEnd().split("\r\n\r\n").at(-1) ?? ""
    const [first = "", ...lines] = head.split("\r\n")
    const headers = new Headers(
      lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)])
    )
    return { status: Number(first.split(" ")[1]), headers, text: readFileSync(join(folder, "body.txt"), "utf8") }
  })

/** Ids that the sample shows become those of the prepared resources, and people become those of this server. */
const bodyFor = (id: string, { text }: Sent, transport: string | undefined) => {
  const body = requestExamples[id]?.body
  const prepared: Record<string, unknown> = text?.startsWith("{") ? JSON.parse(text) : {}
  const isShown = new Set<unknown>(Object.values(shown))
  const valueFor = (field: string, value: unknown) => {
    if (field === "password") return password
    if (field === "routes")
      return JSON.parse(JSON.stringify(value).replaceAll(shown["transport"] ?? "", transport ?? ""))
    return personal.has(id) || isShown.has(value) ? (prepared[field] ?? value) : value
  }
  return body && Object.fromEntries(Object.entries(body).map(([field, value]) => [field, valueFor(field, value)]))
}

isTrue("each refusal is one of an operation", () => {
  const known = operations.map(({ id }) => id)
  for (const id of Object.keys(refusals)) assert.include(known, id)
})

layer(documented, { timeout: "60 seconds", excludeTestServices: true })("the sample for curl", (it) => {
  it.effect.each(samples)("of $id gets the documented answer", (endpoint) =>
    Effect.gen(function* () {
      const { caller, next, userOf } = yield* Documented
      const operation = operations.find(({ id }) => id === endpoint.id) ?? assert.fail(endpoint.id)
      yield* request(caller, "POST", "/contacts", { email: "ada@example.com" })
      const prepared: Sent = yield* examples[endpoint.id] ?? Effect.succeed({})
      const refusal = refusals[endpoint.id]
      // A refusal is about the resource of the sample, which does not exist here.
      const ids = prepared.ids ?? (refusal === "RESOURCE_NOT_FOUND" ? {} : yield* fresh(operation))
      const values = valuesOf(endpoint.path).map(({ prefix, value }) => ids[prefix] ?? value ?? assert.fail(prefix))
      const routed = endpoint.id === "transports.setRoutes" ? yield* freshFor("/transports/{id}") : {}
      const body = bodyFor(endpoint.id, prepared, routed["/transports"])
      const example = { ...requestExamples[endpoint.id], ...(body && { body }) }
      const user = userOf(operation)
      const { headers, status, text } = yield* run(
        curlOf(endpoint, fill(endpoint.path, values, example)),
        {
          POSTHORN_URL: caller.url,
          POSTHORN_KEY: caller.secretKey,
          POSTHORN_PUBLIC_KEY: caller.publicKey,
          POSTHORN_SESSION: `posthorn_session=${user.session}`,
          POSTHORN_PROJECT: user.project,
          FROM: `198.51.100.${next() % 250}`
        },
        isEvents(endpoint)
      )
      const answer = { headers, status, text }
      if (refusal === undefined) {
        assert.isBelow(status, 400, text)
        assert.isUndefined(deviation(operation, answer))
        assert.deepStrictEqual(differenceFromExample(operation, answer), [])
      } else {
        assert.property(operation.responses, String(status))
        assert.match(refusal, new RegExp(`\\b${JSON.parse(text).error.code}\\b`), text)
      }
      if (operation.sessionOnly) user.session = sessionIn(headers) ?? user.session
    })
  )
})
