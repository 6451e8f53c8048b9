/** Passkeys with the authenticator of a real browser (Chromium's virtual authenticator), against a running server. */
import { createServer } from "node:net"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import type { Ended } from "../testing/Program.ts"
import { Browser, layer as browser, desk } from "./testing/Browser.ts"
import { browserProgram } from "./testing/BrowserPresence.ts"
import { addressOf, install, password } from "./testing/Installation.ts"

const owner = "passkeys"
const email = addressOf(owner)

const freePort = Effect.callback<number>((resume) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() => resume(Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0)))
  })
})

/** A server on a host name: browsers refuse passkeys for an IP address. */
class Site extends Context.Service<Site, string>()("@posthorn/node/endToEnd/PasskeysInBrowser/Site") {}

const site: Layer.Layer<Site, Ended> = Layer.effect(
  Site,
  Effect.gen(function* () {
    const { account, serve } = yield* install
    yield* account(owner)
    const port = yield* freePort
    const publicUrl = `http://localhost:${port}`
    yield* serve({
      POSTHORN_PUBLIC_URL: publicUrl,
      POSTHORN_PORT: String(port),
      POSTHORN_SMTP_URL: "smtp://127.0.0.1:9"
    })
    return publicUrl
  })
)

const authenticator = {
  protocol: "ctap2" as const,
  transport: "internal" as const,
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true
}

/** Opens a page of the origin with an authenticator plugged in. */
const opened = async (page: Page, origin: string) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("WebAuthn.enable")
  await devtools.send("WebAuthn.addVirtualAuthenticator", { options: authenticator })
  await page.goto(`${origin}/health`)
}

/** Calls the API with the cookies of the browser. */
const call = async (page: Page, url: string, method: string, data?: object) => {
  const { origin } = new URL(url)
  const response = await page.request.fetch(url, { method, headers: { origin }, ...(data && { data }) })
  const text = await response.text()
  return { status: response.status(), body: text === "" ? undefined : JSON.parse(text) }
}

const create = (page: Page, options: object) =>
  page.evaluate(`navigator.credentials
    .create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)}) })
    .then((credential) => credential.toJSON())`)

const get = (page: Page, options: object) =>
  page.evaluate(`navigator.credentials
    .get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)}) })
    .then((credential) => credential.toJSON())`)

const addPasskey = async (page: Page, origin: string) => {
  assert.strictEqual((await call(page, `${origin}/auth/login`, "POST", { email, password })).status, 200)
  const { body: options } = await call(page, `${origin}/users/@me/passkeys/options`, "POST")
  const response = await create(page, options)
  return await call(page, `${origin}/users/@me/passkeys`, "POST", { name: "Laptop", response })
}

const signIn = async (page: Page, origin: string) => {
  const { body: options } = await call(page, `${origin}/auth/passkey/options`, "POST", {})
  return await call(page, `${origin}/auth/passkey`, "POST", { response: await get(page, options) })
}

describe.skipIf(browserProgram === undefined)("passkeys in a browser", () => {
  layer(Layer.merge(browser, site), { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("are added in a session, and log in without a password", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const origin = yield* Site
        yield* visit(desk, async (page) => {
          await opened(page, origin)
          const added = await addPasskey(page, origin)
          assert.strictEqual(added.status, 201, JSON.stringify(added.body))
          await page.context().clearCookies()
          assert.strictEqual((await call(page, `${origin}/users/@me`, "GET")).status, 401)
          for (const _time of ["first", "second"]) {
            const done = await signIn(page, origin)
            assert.strictEqual(done.status, 200, JSON.stringify(done.body))
            assert.strictEqual((await call(page, `${origin}/users/@me`, "GET")).body.email, email)
            await page.context().clearCookies()
          }
          const { body: options } = await call(page, `${origin}/auth/passkey/options`, "POST", {})
          const response = await get(page, options)
          const statuses = []
          for (const _use of ["first", "repeated"]) {
            statuses.push((await call(page, `${origin}/auth/passkey`, "POST", { response })).status)
          }
          assert.deepStrictEqual(statuses, [200, 401])
        })
      })
    )
  })
})
