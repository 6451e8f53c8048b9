/** Runs the samples for curl of the reference against a server, as a reader of the reference does in a shell. */
import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, it as isTrue, layer } from "@effect/vitest"
import { newFolder } from "@posthorn/core/testing/DataFolder"
import { Effect, Schema } from "effect"
import { ids as shown } from "../reference/Ids.ts"
import { endpoints, OpenApiDocument } from "../reference/OpenApiDocument.ts"
import { requestExamples } from "../reference/RequestExamples.ts"
import { curlOf, fill } from "../reference/Samples.ts"
import { request } from "./testing/Caller.ts"
import { Documented, documented, fresh, type Sent } from "./testing/Documented.ts"
import { examples } from "./testing/Examples.ts"
import { password } from "./testing/Installation.ts"
import { operations } from "./testing/Operations.ts"
import { prefixesOf, sessionIn } from "./testing/Resources.ts"

/** Operations whose samples cannot succeed here, and why. */
const exceptions: { readonly [operationId: string]: string } = {
  "accountSessions.remove": "needs the id of another session",
  "auth.passkey": "needs an answer of an authenticator",
  "auth.resetPassword": "needs a token from an email",
  "auth.twoFactor": "needs a code of an authenticator app",
  "auth.verifyEmail": "needs a token from an email",
  "billing.checkout": "asks Stripe",
  "billing.portal": "asks Stripe",
  live: "does not end",
  "invited.accept": "needs a token from an email",
  "invited.view": "needs a token from an email",
  "ownInvitations.accept": "needs an offer to another account",
  "ownInvitations.decline": "needs an offer to another account",
  "passkeys.add": "needs an answer of an authenticator",
  "passkeys.remove": "needs a passkey",
  "receivers.notifications": "needs a signature of a relay",
  "receivers.payments": "needs a signature of Stripe",
  "transports.create": "connects to a mail server",
  "transports.setRoutes": "needs a transport",
  "twoFactor.confirm": "needs a code of an authenticator app",
  "twoFactor.remove": "needs a code of an authenticator app"
}

/** Operations with the address or the password of a person, which the server must know. */
const personal = new Set(["auth.login", "auth.signup", "auth.requestPasswordReset", "users.changePassword"])

const file = new URL("../../../../openapi/openapi.json", import.meta.url)
const document = Schema.decodeUnknownSync(Schema.fromJsonString(OpenApiDocument))(readFileSync(file, "utf8"))
const samples = endpoints(document)
  .filter(({ operation }) => exceptions[operation.operationId] === undefined)
  .map((endpoint) => ({ ...endpoint, id: endpoint.operation.operationId }))

const folder = newFolder()
writeFileSync(join(folder, "people.csv"), "email,plan\nbob@example.com,pro\n")
writeFileSync(
  join(folder, "logo.png"),
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64"
  )
)

/** Runs a sample, and gives the status, the headers and the body of its answer. */
const run = (sample: string, env: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    const wrapper = `curl() { command curl -sS -m 60 -D head.txt -o body.txt -H "X-Forwarded-For: $FROM" "$@"; }`
    const { stderr } = await promisify(execFile)("sh", ["-c", `${wrapper}\n${sample}`], {
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
const bodyFor = (id: string, { text }: Sent) => {
  const body = requestExamples[id]?.body
  const prepared: Record<string, unknown> = text?.startsWith("{") ? JSON.parse(text) : {}
  const isShown = new Set<unknown>(Object.values(shown))
  const valueFor = (field: string, value: unknown) => {
    if (field === "password") return password
    return personal.has(id) || isShown.has(value) ? (prepared[field] ?? value) : value
  }
  return body && Object.fromEntries(Object.entries(body).map(([field, value]) => [field, valueFor(field, value)]))
}

isTrue("each exception is an operation", () => {
  const known = operations.map(({ id }) => id)
  for (const id of Object.keys(exceptions)) assert.include(known, id)
})

layer(documented, { timeout: "60 seconds", excludeTestServices: true })("the sample for curl", (it) => {
  it.effect.each(samples)("of $id succeeds", (endpoint) =>
    Effect.gen(function* () {
      const { caller, next, userOf } = yield* Documented
      const operation = operations.find(({ id }) => id === endpoint.id) ?? assert.fail(endpoint.id)
      yield* request(caller, "POST", "/contacts", { email: "ada@example.com" })
      const prepared: Sent = yield* examples[endpoint.id] ?? Effect.succeed({})
      const ids = prepared.ids ?? (yield* fresh(operation))
      const values = prefixesOf(endpoint.path).map((prefix) => ids[prefix] ?? assert.fail(prefix))
      const body = bodyFor(endpoint.id, prepared)
      const example = { ...requestExamples[endpoint.id], ...(body && { body }) }
      const user = userOf(operation)
      const { headers, status, text } = yield* run(curlOf(endpoint, fill(endpoint.path, values, example)), {
        POSTHORN_URL: caller.url,
        POSTHORN_KEY: caller.secretKey,
        POSTHORN_PUBLIC_KEY: caller.publicKey,
        POSTHORN_SESSION: `posthorn_session=${user.session}`,
        FROM: `198.51.100.${next() % 250}`
      })
      assert.isBelow(status, 400, text)
      if (operation.sessionOnly) user.session = sessionIn(headers) ?? user.session
    })
  )
})
