import { assert, describe, it } from "@effect/vitest"
import { oneShots, type VariableSources, variables } from "./Variables.ts"

const sources: VariableSources = {
  contact: { id: "c1", email: "anna@example.com", subscribed: true, data: { plan: "pro", city: "Köln" } },
  urls: {
    unsubscribeUrl: "https://example.com/u",
    subscribeUrl: "https://example.com/s",
    manageUrl: "https://example.com/m"
  },
  project: { name: "Acme", language: "de" }
}
const withData = (data: VariableSources["contact"]["data"], more: Partial<VariableSources> = {}) =>
  variables({ ...sources, contact: { ...sources.contact, data }, ...more })

describe("variables", () => {
  it("are the built-ins and the contact's data", () => {
    assert.deepStrictEqual(
      { ...variables(sources), data: undefined },
      {
        id: "c1",
        svc_id: "c1",
        email: "anna@example.com",
        svc_email: "anna@example.com",
        unsubscribeUrl: "https://example.com/u",
        subscribeUrl: "https://example.com/s",
        manageUrl: "https://example.com/m",
        plan: "pro",
        city: "Köln",
        data: undefined,
        project: { name: "Acme" },
        subscribed: true,
        locale: "de"
      }
    )
    assert.deepStrictEqual({ ...Object(variables(sources)["data"]) }, { plan: "pro", city: "Köln" })
  })

  it("reserved built-ins take precedence over one-shots and data", () => {
    const fake = {
      id: "x",
      svc_id: "x",
      email: "x",
      svc_email: "x",
      unsubscribeUrl: "x",
      subscribeUrl: "x",
      manageUrl: "x"
    }
    const built = withData(fake, { oneShots: fake })
    for (const key of Object.keys(fake)) assert.strictEqual(built[key], variables(sources)[key])
  })

  it("one-shots take precedence over stored data, and can make it missing or empty", () => {
    const built = withData({ plan: "pro", city: "Köln", zip: "1" }, { oneShots: { plan: "gold", city: null, zip: "" } })
    assert.deepInclude(built, { plan: "gold", city: null, zip: "" })
    assert.deepStrictEqual({ ...Object(built["data"]) }, { plan: "gold", city: null, zip: "" })
  })

  it("data takes precedence over the other built-ins", () => {
    const data = { data: 1, project: 2, subscribed: 3, locale: "fr", event: 4 }
    assert.deepInclude(withData(data, { event: { a: 1 } }), data)
  })

  it("contain the context of an execution as event", () => {
    assert.deepStrictEqual(withData({}, { event: { plan: "x" } })["event"], { plan: "x" })
    assert.notProperty(withData({}), "event")
  })

  it("have no prototype, and cannot get one", () => {
    const built = withData(JSON.parse('{"__proto__": {"polluted": 1}}'))
    assert.isNull(Object.getPrototypeOf(built))
    assert.isNull(Object.getPrototypeOf(built["data"]))
    assert.notProperty({}, "polluted")
  })
})

describe("oneShots", () => {
  it("are unwrapped, without reserved names and all other values", () => {
    assert.deepStrictEqual(
      oneShots({
        code: { value: "8812", persistent: false },
        none: { value: null, persistent: false, more: 1 },
        email: { value: "x@example.com", persistent: false },
        price: { value: 3, persistent: true },
        half: { persistent: false },
        plan: "pro"
      }),
      { code: "8812", none: null }
    )
  })
})
