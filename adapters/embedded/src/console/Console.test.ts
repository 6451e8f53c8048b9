/** A console in an application with a login of its own. */
import { once } from "node:events"
import { createServer } from "node:http"
import { Api } from "@posthorn/contract/Api"
import { OwnProject, ProjectAccess, ProjectSession } from "@posthorn/contract/platform/Auth"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type ConsoleUser, createPosthorn, InvalidOption, type LogRecord, type Posthorn } from "../index.ts"
import { databaseAt, places } from "../testing/Places.ts"
import type { MountedConsole } from "./Mount.ts"

const origin = "https://app.example"
const basePath = "/admin/mail"
const somethings = "019a0000-0000-7000-8000-00000000ffff"

/** The part of an answer that tests look at. */
interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
  readonly body: any
}

interface Ask {
  /** The name in the cookie of the application. */
  readonly as?: string
  readonly project?: string | undefined
  readonly body?: unknown
  readonly headers?: Record<string, string | null>
}

describe.each(places)("The console of an application on %s", (place) => {
  const scope = Scope.makeUnsafe()
  const records: Array<LogRecord> = []
  /** The people of the application, by the name in its cookie. */
  const people = new Map<string, ConsoleUser>()
  let posthorn: Posthorn
  let mail: MountedConsole
  let first: string
  let second: string

  beforeAll(async () => {
    posthorn = await createPosthorn({
      database: await databaseAt(place, scope),
      mailer: { smtp: "smtp://127.0.0.1:1?tls=none" },
      publicUrl: `${origin}/mail`,
      secret: "0123456789abcdef0123456789abcdef",
      workers: false,
      settings: { devMode: true },
      onLog: (record) => records.push(record)
    })
    const create = async (name: string) =>
      (await posthorn.run(Projects.use(({ create }) => create(name)))).project.id as string
    first = await create("First")
    second = await create("Second")
    const person = (userId: string, ...projects: ConsoleUser["projects"]) =>
      people.set(userId, { userId, email: `${userId}@app.example`, projects })
    person("ada", { id: first, role: "ADMIN" })
    person("bob", { id: second, role: "MEMBER" })
    person("cora", { id: first.toUpperCase(), role: "MEMBER" }, { id: second, role: "OWNER" })
    person("dan")
    mail = posthorn.console({
      basePath,
      authorize: async (request) => {
        const [, name = ""] = /app_session=(\w+)/.exec(request.headers.get("cookie") ?? "") ?? []
        if (name === "broken") throw new Error("the store of sessions is away")
        if (name === "odd") return { userId: "", email: "", projects: [] }
        return people.get(name)
      },
      signInUrl: "/login",
      title: "Mail",
      frameAncestors: ["'self'", "https://intranet.example"]
    })
  })
  afterAll(async () => {
    await posthorn.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** As the page of the console asks. */
  const ask = async (
    method: string,
    path: string,
    { as = "ada", project, body, headers = {} }: Ask = {}
  ): Promise<Answer> => {
    const sent = new Headers({
      cookie: `app_session=${as}`,
      origin,
      "sec-fetch-site": "same-origin",
      "x-posthorn-console": "1",
      ...(project !== undefined && { "x-project-id": project }),
      ...(body !== undefined && { "content-type": "application/json" })
    })
    for (const [name, value] of Object.entries(headers)) value === null ? sent.delete(name) : sent.set(name, value)
    const response = await mail.fetch(
      new Request(`${origin}${basePath}/api${path}`, {
        method,
        headers: sent,
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
    )
    const text = response.headers.get("content-type")?.includes("json") ? await response.json() : await response.text()
    return { status: response.status, headers: response.headers, body: text }
  }
  const outcome = async (...request: Parameters<typeof ask>) => {
    const { status, body } = await ask(...request)
    return `${status} ${body?.error?.code ?? "ok"}`
  }

  it("answers who one is and which projects one has from what the application says", async () => {
    assert.deepStrictEqual((await ask("GET", "/users/@me")).body, {
      id: "ada",
      email: "ada@app.example",
      emailVerified: true
    })
    const { body, headers } = await ask("GET", "/users/@me/projects", { as: "cora" })
    assert.deepStrictEqual(
      body.map(({ id, name, role }: Record<string, string>) => [id, name, role]),
      [
        [second, "Second", "OWNER"],
        [first, "First", "MEMBER"]
      ]
    )
    assert.notProperty(body[0], "secret")
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.match(headers.get("x-request-id") ?? "", /^[\w-]+$/)
    assert.deepStrictEqual((await ask("GET", "/users/@me/projects", { as: "dan" })).body, [])
  })

  it("shows each person the own projects only", async () => {
    const added = await ask("POST", "/contacts", { project: first, body: { email: "of-first@example.com" } })
    assert.strictEqual(added.status, 201)
    await ask("POST", "/contacts", { as: "bob", project: second, body: { email: "of-second@example.com" } })
    const contacts = async (as: string, project: string) =>
      (await ask("GET", "/contacts", { as, project })).body.data?.map(({ email }: { email: string }) => email)
    assert.deepStrictEqual(await contacts("ada", first), ["of-first@example.com"])
    assert.deepStrictEqual(await contacts("bob", second), ["of-second@example.com"])
    for (const [as, project] of [
      ["ada", second],
      ["bob", first],
      ["dan", first],
      ["ada", somethings],
      ["ada", "nonsense"]
    ] as const) {
      assert.strictEqual(await outcome("GET", "/contacts", { as, project }), "403 PROJECT_ACCESS_DENIED")
      for (const path of [`/projects/${project}/setup-state`, `/users/@me/projects/${project}/security`])
        assert.strictEqual(await outcome("GET", path, { as, project: first }), "403 PROJECT_ACCESS_DENIED", path)
    }
    assert.strictEqual(await outcome("GET", "/contacts"), "400 BAD_REQUEST")
    assert.strictEqual(
      await outcome("GET", `/contacts/${added.body.id}`, { as: "bob", project: second }),
      "404 CONTACT_NOT_FOUND"
    )
    // The project in the path counts, not the one in the header.
    assert.strictEqual(await outcome("GET", `/projects/${first}/setup-state`, { project: second }), "200 ok")
  })

  it("asks for the same roles as a session", async () => {
    const exported = (as: string, project: string) => outcome("GET", "/contacts/export", { as, project })
    assert.deepStrictEqual(
      [await exported("bob", second), await exported("cora", first), await exported("ada", first)],
      ["403 FORBIDDEN", "403 FORBIDDEN", "200 ok"]
    )
    const rename = (as: string, project: string) =>
      ask("PATCH", `/users/@me/projects/${project}`, { as, body: { name: "Renamed" } })
    assert.strictEqual((await rename("bob", second)).body.error.details.reason, "role")
    const { body } = await rename("ada", first)
    assert.deepInclude(body, { id: first, name: "Renamed", role: "ADMIN" })
    const keys = await ask("POST", `/users/@me/projects/${first}/regenerate-keys`)
    assert.match(keys.body.secret, /^sk_/)
    assert.strictEqual(
      await outcome("POST", `/users/@me/projects/${second}/regenerate-keys`, { as: "bob" }),
      "403 FORBIDDEN"
    )
    // Two factors are of accounts, which the people of the application do not have.
    const owner = await ask("PATCH", `/users/@me/projects/${second}`, { as: "cora", body: { requireTwoFactor: true } })
    assert.strictEqual(owner.body.error.code, "TWO_FACTOR_REQUIRED")
  })

  it("has every operation of a project, and none of accounts, members, payments and pages", async () => {
    const own = new Set(["ownProjects.update", "ownProjects.regenerateKeys", "ownProjects.security"])
    const open = new Set(["users.me", "users.projects", "service.config", "service.health"])
    const closed = new Set(["billing", "invitations", "members"])
    const seen: Array<string> = []
    for (const group of Object.values(Api.groups)) {
      for (const endpoint of Object.values(group.endpoints)) {
        const { method } = endpoint
        const name = `${group.identifier}.${endpoint.identifier}`
        const { middlewares } = endpoint
        const ofProject = [ProjectAccess, ProjectSession, OwnProject].some((each) => middlewares.has(each))
        const path = endpoint.path
          .replace(
            /^\/(users\/@me\/projects|projects|domains\/project)\/:\w+/,
            (_: string, start: string) => `/${start}/${second}`
          )
          .replace(/:\w+/g, somethings)
        const isReached =
          open.has(name) ||
          own.has(name) ||
          (ofProject && !closed.has(group.identifier) && group.identifier !== "ownProjects")
        const body = method === "GET" ? {} : { body: {} }
        const path_ = name === "live.live" ? `${path}?topics=none` : path
        const said = await outcome(method, path_, { as: "cora", project: second, ...body })
        assert.strictEqual(said !== "404 ROUTE_NOT_FOUND", isReached, `${name}: ${method} ${path}: ${said}`)
        assert.notMatch(said, /^(?:401|5)/, name)
        if (isReached) seen.push(name)
      }
    }
    assert.isAbove(seen.length, 100)
    for (const path of [
      "",
      "/",
      "/openapi.json",
      "/auth/oauth-config",
      "/t/o/x",
      "/unsubscribe/x",
      "/users/@me/projects/%72",
      `/users/@me/projects/${second}/%72eset`,
      "/users/%40me/..",
      "//contacts",
      "/contacts%"
    ]) {
      assert.strictEqual(await outcome("GET", path, { as: "cora", project: second }), "404 ROUTE_NOT_FOUND", path)
    }
    for (const [method, path] of [
      ["POST", "/users/@me/projects"],
      ["DELETE", `/users/@me/projects/${second}`],
      ["POST", `/users/@me/projects/${second}/reset`],
      ["POST", "/v1/send"],
      ["OPTIONS", "/contacts"]
    ] as const) {
      assert.strictEqual(await outcome(method, path, { as: "cora", project: second, body: {} }), "404 ROUTE_NOT_FOUND")
    }
  })

  it("takes writes from its own pages only", async () => {
    const body = { email: "forged@example.com" }
    const write = (headers: Record<string, string | null>) =>
      outcome("POST", "/contacts", { project: first, body, headers })
    for (const headers of [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example", "sec-fetch-site": null },
      { origin: "null", "sec-fetch-site": null },
      { origin: null, "sec-fetch-site": null },
      { origin: null, "sec-fetch-site": "same-site" },
      { origin: null, "sec-fetch-site": "none" },
      { "x-posthorn-console": null },
      { "x-posthorn-console": "0" },
      {
        origin: "https://evil.example",
        "sec-fetch-site": null,
        host: "evil.example",
        "x-forwarded-host": "evil.example"
      }
    ]) {
      assert.strictEqual(await write(headers), "403 FORBIDDEN", JSON.stringify(headers))
    }
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const answer = await outcome(method, `/segments/${somethings}`, {
        project: first,
        headers: { "x-posthorn-console": null }
      })
      assert.notMatch(answer, /^2|RESOURCE/, method)
    }
    const { body: list } = await ask("GET", "/contacts?search=forged", { project: first })
    assert.deepStrictEqual(list.data, [])
    const foreign = await ask("GET", "/contacts", { project: first, headers: { origin: "https://evil.example" } })
    assert.isNull(foreign.headers.get("access-control-allow-origin"))
    for (const headers of [{ "sec-fetch-site": null }, { origin: null }]) {
      assert.strictEqual(
        await outcome("POST", "/contacts", { project: first, body: { email: "own@example.com" }, headers }),
        headers.origin === null ? "200 ok" : "201 ok"
      )
    }
  })

  it("does not know who has no session in the application, and says when the application cannot tell", async () => {
    for (const path of ["/config", "/users/@me", "/contacts"]) {
      assert.strictEqual(await outcome("GET", path, { as: "nobody", project: first }), "401 UNAUTHORIZED", path)
      records.length = 0
      const { status, body, headers } = await ask("GET", path, { as: "broken", project: first })
      assert.deepStrictEqual([status, body.error.code, headers.get("retry-after")], [503, "SERVICE_UNAVAILABLE", "1"])
      assert.notInclude(JSON.stringify(body), "store of sessions")
      const [record] = records
      assert.strictEqual(record?.level, "Error")
      assert.include(JSON.stringify(record), "the store of sessions is away")
    }
    records.length = 0
    assert.strictEqual(await outcome("GET", "/config", { as: "odd" }), "503 SERVICE_UNAVAILABLE")
    assert.include(JSON.stringify(records), "userId")
  })

  it("uses no other credential of a request", async () => {
    const { keys } = await posthorn.run(Projects.use(({ create }) => create("Third")))
    const secret = String(keys.secretKey && Reflect.get(keys.secretKey, "value"))
    const headers = { authorization: `Bearer ${secret}` }
    const { body } = await ask("GET", "/projects/current", { project: first, headers })
    assert.deepInclude(body, { id: first, key: null })
    assert.strictEqual(await outcome("GET", "/contacts", { as: "nobody", project: first, headers }), "401 UNAUTHORIZED")
  })

  it("records who changed something, by the id in the application", async () => {
    const { body: segment } = await ask("POST", "/segments", {
      as: "cora",
      project: first,
      body: { name: "All", type: "STATIC" }
    })
    await ask("DELETE", `/segments/${segment.id}`, { as: "cora", project: first })
    const { body } = await ask("GET", `/projects/${first}/audit`)
    const found = body.data.map(({ action, actor, user, details }: Record<string, { user?: string }>) => [
      action,
      actor,
      user,
      details?.user
    ])
    assert.deepInclude(found, ["segment.deleted", "host", null, "cora"])
    assert.deepInclude(found, ["project.settings_changed", "host", null, "ada"])
  })

  it("lets administrators alone change shared views of others", async () => {
    const view = { page: "mails", name: "Bounced", query: "state=BOUNCED" }
    const made = await ask("POST", "/views", { project: first, body: view })
    assert.strictEqual(made.status, 201)
    const path = `/views/${made.body.id}`
    const renamed = { project: first, body: { name: "Refused" } }
    assert.strictEqual((await ask("PATCH", path, { ...renamed, as: "cora" })).status, 403)
    assert.strictEqual((await ask("PATCH", path, renamed)).status, 200)
    assert.strictEqual((await ask("DELETE", path, { project: first, as: "cora" })).status, 403)
    assert.isBelow((await ask("DELETE", path, { project: first })).status, 300)
  })

  it("lets a person ask 300 times a minute", async () => {
    people.set("eve", { userId: "eve", email: "eve@app.example", projects: [{ id: first, role: "MEMBER" }] })
    let answered = 0
    for (; answered < 310; answered++) {
      if ((await ask("GET", "/users/@me", { as: "eve" })).status !== 200) break
    }
    assert.strictEqual(answered, 300)
    const refused = await ask("GET", "/contacts", { as: "eve", project: first })
    assert.deepStrictEqual([refused.status, refused.body.error.code], [429, "RATE_LIMIT_EXCEEDED"])
    assert.isAbove(Number(refused.headers.get("retry-after")), 0)
    assert.strictEqual(await outcome("GET", "/users/@me"), "200 ok", "of one person, not of all")
  })

  it("adds no account and no member", async () => {
    const counted = await posthorn.run(
      SqlClient.SqlClient.use(
        (sql) => sql`select (select count(*)::int from users) as users, (select count(*)::int from members) as members`
      )
    )
    assert.deepStrictEqual(counted, [{ users: 0, members: 0 }])
  })

  it("serves its pages below the path, with or without it, and lets the named places frame it", async () => {
    for (const path of [basePath, `${basePath}/p/${first}/mails`, "/", "/p/x"]) {
      const page = await mail.fetch(new Request(origin + path))
      assert.strictEqual(page.status, 200, path)
      const [, meta = ""] = /name="posthorn" content="([^"]*)"/.exec(await page.text()) ?? []
      const settings = JSON.parse(meta.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))))
      assert.deepInclude(settings, {
        basePath,
        apiBase: `${basePath}/api`,
        mode: "embedded",
        dev: false,
        title: "Mail",
        signInUrl: "/login"
      })
      const policy = page.headers.get("content-security-policy") ?? ""
      assert.include(policy, "frame-ancestors 'self' https://intranet.example")
      assert.include(policy, "connect-src 'self'")
    }
    const preview = await mail.fetch(new Request(`${origin}${basePath}/preview.html`))
    assert.include(preview.headers.get("content-security-policy"), "frame-ancestors 'self' https://intranet.example;")
    assert.strictEqual((await mail.fetch(new Request(`${origin}${basePath}/assets/none.js`))).status, 404)
    assert.strictEqual((await mail.fetch(new Request(origin + basePath, { method: "POST" }))).status, 405)
  })

  it("is a handler of Node's server, whose requests the application can look at", async () => {
    const asked: Array<unknown> = []
    const mounted = posthorn.console({
      basePath,
      authorize: (_request, incoming) => {
        asked.push(incoming?.headers["x-user"])
        return people.get(String(incoming?.headers["x-user"]))
      }
    })
    // As Express does with app.use(path, handler).
    const app = createServer((request, response) => {
      request.url = request.url?.replace(basePath, "") || "/"
      void mounted.node(request, response)
    })
    app.listen(0, "127.0.0.1")
    await once(app, "listening")
    const address = app.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
    try {
      assert.include(await (await fetch(url + basePath)).text(), 'name="posthorn"')
      const post = (own: string) =>
        fetch(`${url}${basePath}/api/contacts`, {
          method: "POST",
          headers: {
            "x-user": "ada",
            "x-project-id": first,
            "x-posthorn-console": "1",
            "content-type": "application/json",
            origin: own
          },
          body: JSON.stringify({ email: "node@example.com" })
        })
      assert.strictEqual((await post(url)).status, 201)
      assert.strictEqual((await post("http://127.0.0.1:1")).status, 403)
      assert.deepStrictEqual(asked, ["ada"])
    } finally {
      app.closeAllConnections()
      app.close()
    }
  })

  it("refuses options that cannot be used", () => {
    const authorize = () => null
    for (const options of [
      { basePath: "admin" },
      { basePath: "/" },
      { basePath: "//evil.example" },
      { basePath: "/a?b" },
      { basePath: "/a", signInUrl: "javascript:alert(1)" },
      { basePath: "/a", frameAncestors: ["'self'; script-src *"] }
    ]) {
      assert.throws(() => posthorn.console({ authorize, ...options }), InvalidOption)
    }
  })

  it("ends its streams when the application closes", async () => {
    const application = await createPosthorn({
      database: { dataDir: dataFolder() },
      mailer: { smtp: "smtp://127.0.0.1:1?tls=none" },
      publicUrl: origin,
      secret: "0123456789abcdef0123456789abcdef",
      workers: false
    })
    const { project } = await application.run(Projects.use(({ create }) => create("Live")))
    const mounted = application.console({
      basePath,
      authorize: () => ({ userId: "ada", email: "ada@app.example", projects: [{ id: project.id, role: "MEMBER" }] })
    })
    const request = () => new Request(`${origin}${basePath}/api/live`, { headers: { "x-project-id": project.id } })
    const stream = await mounted.fetch(request())
    assert.strictEqual(stream.headers.get("content-type"), "text/event-stream")
    const early = await mounted.fetch(request())
    const reader = stream.body?.getReader()
    const greeting = await reader?.read()
    assert.include(new TextDecoder().decode(greeting?.value), "id: ")
    const rest = reader?.read()
    // Nobody has read this one yet.
    const text = early.text()
    await application.close()
    assert.isTrue((await rest)?.done)
    assert.match(await text, /^(?:id: .*\n\n)?$/)
    assert.strictEqual((await mounted.fetch(request())).status, 503)
  })
})
