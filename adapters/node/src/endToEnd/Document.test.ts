/** Calls every endpoint of openapi.json on a running server. Each answer must match the document. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Arbitrary, Effect } from "effect"
import { call } from "../testing/ApiCall.ts"
import { ask, Documented, documented, domain, fresh, type Sent } from "./testing/Documented.ts"
import { examples, mailed } from "./testing/Examples.ts"
import { databaseName } from "./testing/Installation.ts"
import { bodies, differenceFromExample, type Operation, operations } from "./testing/Operations.ts"
import { isAboutAddress, isAboutWord, neededBodies, prefixesOf } from "./testing/Resources.ts"
import { named as namedBySeed } from "./testing/Seed.ts"

/** A path that is not part of the API. */
const nothing = { method: "GET", path: "/nothing", isThere: false }

const nobodys = "019a0000-0000-7000-8000-00000000ffff"
const unknownIds = [nobodys, "no-uuid", "%00", "%F0%9F%A6%8A"]
const oddValues = ["", "~", "0", "-1", "1e999", "%00", "%ED%A0%80", "a".repeat(5_000)]
const oddBodies = ["", "{}", "[]", "null", '"a"', "{", "[".repeat(200), '{"a":"\\u0000"}', '{"a":"\\ud800"}']

/** The seed of the fuzz, the same in every run. `npm run fuzz` is the long form, with another seed each time. */
const seed = 7

/** The same id for every parameter of the path. */
const everywhere = ({ path }: Operation, id: string) =>
  Object.fromEntries(prefixesOf(path).map((prefix) => [prefix, id]))

const withKey = operations.filter(({ key }) => key !== undefined)
/** Leaves out fields, which are named and always exist, and invitations, which are identified by their token. */
const withIds = operations.filter(
  ({ key, path, sessionOnly }) => (key !== undefined || sessionOnly) && path.includes("{") && !path.includes("{field}")
)
/** These call Stripe, which is not available here; `payments/StripePayments.test.ts` tests them. */
const asksStripe = new Set(["billing.checkout", "billing.portal"])
/**
 * These need a code, an answer of an authenticator, another session, or an offer to another account.
 * `accounts/{AccountSessions,TwoFactors,Passkeys}.test.ts` and `members/Members.test.ts` of the core test them.
 */
const takesMore = new Set([
  "auth.twoFactor",
  "auth.passkey",
  "accountSessions.remove",
  "twoFactor.setUp",
  "twoFactor.remove",
  "twoFactor.confirm",
  "passkeys.add",
  "passkeys.remove",
  "ownInvitations.accept",
  "ownInvitations.decline"
])
const answered = operations.filter(({ id }) => !asksStripe.has(id) && !takesMore.has(id))
const withSession = operations.filter(({ sessionOnly }) => sessionOnly)
const withQuery = operations.filter(({ query }) => query.length > 0)
const writing = answered.filter(({ method }) => method !== "GET")

/** Names of parameters do not matter for the comparison. */
const named = (method: string, path: string) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`

describe("the interface", () => {
  const documentedNames = new Set(operations.map(({ method, path }) => named(method, path)))
  const missing = namedBySeed.map(([method, path]) => named(method, path)).filter((name) => !documentedNames.has(name))

  it("has every endpoint of the seed in openapi.json", () => {
    assert.strictEqual(new Set(namedBySeed.map(([method, path]) => named(method, path))).size, 114)
    assert.isEmpty(missing)
  })
})

describe(`answers as openapi.json describes them, on ${databaseName}:`, () => {
  layer(documented, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("whatever the seed names is there; what it does not name is not", () =>
      Effect.gen(function* () {
        const { caller } = yield* Documented
        const asked = [...namedBySeed.map(([method, path]) => ({ method, path, isThere: true })), nothing]
        for (const { method, path, isThere } of asked) {
          const { status, text } = yield* call(`${caller.url}${path.replaceAll(/\{\w+\}/g, nobodys)}`, { method })
          assert.strictEqual(text.includes('"ROUTE_NOT_FOUND"'), !isThere, `${method} ${path}: ${status} ${text}`)
        }
      })
    )

    it.effect.each(answered)("$method $path when all is well, and the same once more", (operation) =>
      Effect.gen(function* () {
        const given: Sent = yield* examples[operation.id] ?? Effect.succeed({})
        const example = { ...given, ids: given.ids ?? (yield* fresh(operation)) }
        const answer = yield* ask(operation, example)
        const { status, text } = answer
        if (status < 300) assert.deepStrictEqual(differenceFromExample(operation, answer), [])
        if (mailed.has(operation.id)) assert.include(text, "INVALID_TOKEN")
        // The core and the adapter of the sender test what is signed.
        else if (operation.id.startsWith("receivers.")) assert.include(text, "INVALID_SIGNATURE")
        else assert.isBelow(status, 300, `Examples.ts needs a request that succeeds: ${text}`)
        // A named resource may already be deleted, and a resource to create may already exist.
        yield* ask(operation, example)
      })
    )

    it.effect.each(withKey)("$method $path without the key that it takes", (operation) =>
      Effect.gen(function* () {
        const { caller } = yield* Documented
        const other = operation.key === "publicKey" ? caller.secretKey : caller.publicKey
        for (const key of ["", other, `${other.slice(0, -1)}~`, "sk_"]) {
          const { status } = yield* ask(operation, { key, ids: everywhere(operation, nobodys) })
          assert.strictEqual(status, 401, key)
        }
      })
    )

    it.effect.each(withSession)("$method $path without the session that it takes", (operation) =>
      Effect.gen(function* () {
        const { caller, userOf } = yield* Documented
        const { session } = userOf(operation)
        const ids = everywhere(operation, nobodys)
        for (const sent of [
          { session: "" },
          { session: `${session.slice(0, -4)}AAAA` },
          { session: "", key: caller.secretKey }
        ]) {
          const { status, text } = yield* ask(operation, { ...sent, ids })
          assert.strictEqual(status, 401)
          assert.include(text, '"UNAUTHORIZED"')
        }
      })
    )

    it.effect.each(withIds)("$method $path of what is not there", (operation) =>
      Effect.gen(function* () {
        for (const id of unknownIds) {
          const ids = everywhere(operation, id)
          const needed = neededBodies[operation.id]
          const sent = needed === undefined ? { ids } : { ids, text: JSON.stringify(needed) }
          // The word was never used, which is also an answer.
          const isMalformed = isAboutAddress(operation.path) || (operation.id === "campaigns.send" && id !== nobodys)
          const expected = isAboutWord(operation.path) ? 200 : isMalformed ? 422 : 404
          assert.strictEqual((yield* ask(operation, sent)).status, expected, id)
        }
      })
    )

    it.effect.each(withQuery)("$method $path with any query", (operation) =>
      Effect.gen(function* () {
        const ids = yield* fresh(operation)
        for (const name of operation.query) {
          for (const value of oddValues) yield* ask(operation, { ids, query: `?${name}=${value}` })
        }
      })
    )

    it.effect.each(writing)("$method $path with any body", (operation) =>
      Effect.gen(function* () {
        const ids = yield* fresh(operation)
        // Where no body is expected, the service reads none, so one odd body is enough.
        const odds = operation.body === undefined ? oddBodies.slice(-1) : oddBodies
        for (const text of odds) yield* ask(operation, { ids, text })
        if (operation.body === undefined) return
        for (const odd of [false, true]) {
          const made = bodies(operation.body, [domain, "example.org"], odd)
          for (const body of yield* Arbitrary.sampleEffect(made, { count: odd ? 3 : 5, size: 6, seed })) {
            yield* ask(operation, { ids: yield* fresh(operation), text: JSON.stringify(body) })
          }
        }
      })
    )
  })
})
