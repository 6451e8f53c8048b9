/** The library of Plunk (`@plunk/node`) against this service: only its base URL and the keys are others. */
import { createRequire } from "node:module"
import { assert, layer } from "@effect/vitest"
import { Posthorn } from "@posthorn/client"
import { eventually } from "@posthorn/core/testing/Eventually"
import { Effect } from "effect"
import * as DevServer from "../testing/DevServer.ts"

const require = createRequire(import.meta.url)

interface Library {
  readonly default: new (
    key: string,
    options: { readonly baseUrl: string }
  ) => {
    readonly events: {
      readonly track: (event: object) => Promise<{ readonly success: boolean; readonly data: unknown }>
    }
    readonly emails: {
      readonly send: (email: object) => Promise<{ readonly success: boolean; readonly data: unknown }>
    }
  }
}

const library = (): Library | undefined => {
  try {
    return require("@plunk/node")
  } catch {
    return undefined
  }
}

const plunk = library()
const name =
  plunk === undefined ? "the library of Plunk, skipped: @plunk/node is not installed" : "the library of Plunk"

layer(DevServer.layer, { timeout: "120 seconds" })(name, (it) => {
  it.effect.skipIf(plunk === undefined)("tracks events and sends mail, unchanged", () =>
    Effect.gen(function* () {
      const { domain, publicKey, secretKey, url } = yield* DevServer.DevServer
      const { default: Plunk } = plunk ?? assert.fail()
      const options = { baseUrl: `${url}/v1/` }
      const posthorn = new Posthorn({ secretKey, baseUrl: url })

      const tracked = yield* Effect.promise(() =>
        new Plunk(publicKey, options).events.track({
          event: "signed_up",
          email: "ada@plunk-sdk.example",
          data: { plan: "pro", code: { value: "1234", persistent: false } }
        })
      )
      assert.isTrue(tracked.success)
      const contact = yield* Effect.promise(() =>
        posthorn.contacts.list({ email: "ada@plunk-sdk.example" }).page().orThrow()
      )
      assert.deepStrictEqual(contact.data[0]?.data, { plan: "pro" })

      const sent = yield* Effect.promise(() =>
        new Plunk(secretKey, options).emails.send({
          to: "ada@plunk-sdk.example",
          subject: "Hello",
          body: "<p>It works.</p>",
          from: `hi@${domain}`,
          name: "Shop",
          type: "html"
        })
      )
      assert.isTrue(sent.success)
      const mail = yield* eventually(
        Effect.promise(async () => {
          const answer = await fetch(`${url}/dev/mailbox.json?to=ada@plunk-sdk.example`)
          return JSON.parse(await answer.text()).data
        }),
        ({ length }) => length > 0
      )
      assert.strictEqual(mail[0].subject, "Hello")

      const refused = yield* Effect.promise(() =>
        new Plunk("sk_wrong", options).emails.send({ to: "ada@plunk-sdk.example", subject: "a", body: "b" }).then(
          () => "",
          (error: Error) => error.constructor.name
        )
      )
      assert.strictEqual(refused, "TokenError")
    })
  )
})
