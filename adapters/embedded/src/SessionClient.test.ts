/** The client for pages with a session, against the whole service. */
import { PosthornSession } from "@posthorn/client/session"
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createPosthorn, type Posthorn } from "./index.ts"
import { databaseAt, places } from "./testing/Places.ts"

const publicUrl = "https://app.example"
const password = "correct horse battery"

/** Keeps the cookie of a session, as a browser does. */
const browserOf = (posthorn: Posthorn) => {
  let cookie = ""
  return async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    if (cookie !== "") headers.set("cookie", cookie)
    headers.set("origin", publicUrl)
    const response = await posthorn.fetch(new Request(`${publicUrl}${url}`, { ...init, headers }))
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) cookie = set.slice(0, set.indexOf(";"))
    return response
  }
}

describe.each(places)("A session on %s", (place) => {
  const scope = Scope.makeUnsafe()
  let posthorn: Posthorn
  beforeAll(async () => {
    posthorn = await createPosthorn({
      database: await databaseAt(place, scope),
      mailer: { smtp: "smtp://127.0.0.1:1?tls=none" },
      publicUrl,
      secret: "0123456789abcdef0123456789abcdef",
      workers: false,
      settings: { signups: "open" }
    })
  })
  afterAll(async () => {
    await posthorn.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** A new account with a project. */
  const member = async (name: string) => {
    const fetch = browserOf(posthorn)
    const client = new PosthornSession({ fetch })
    const email = `${name}@example.com`
    await client.auth.signup({ email, password }).orThrow()
    const project = await client.users.createProject({ name }).orThrow()
    return { email, fetch, client, project, ofProject: new PosthornSession({ fetch, projectId: project.id }) }
  }

  it("is started by a login, reads and writes its project, and ends", async () => {
    const { client, email, fetch, ofProject, project } = await member("ada")
    await client.auth.logout().orThrow()
    assert.strictEqual((await client.users.me()).meta.status, 401)
    assert.strictEqual(
      (await client.auth.login({ email, password: "a wrong password" })).error?.code,
      "INVALID_CREDENTIALS"
    )
    await client.auth.login({ email, password }).orThrow()
    assert.strictEqual((await client.users.me().orThrow()).email, email)
    assert.deepStrictEqual(
      (await client.users.projects().orThrow()).map(({ id, role }) => [id, role]),
      [[project.id, "OWNER"]]
    )
    const contact = await ofProject.contacts.upsert({ email: "anna@example.com" }).orThrow()
    const listed = await Array.fromAsync(ofProject.contacts.list())
    assert.deepStrictEqual(
      listed.map(({ id }) => id),
      [contact.id]
    )
    assert.strictEqual((await ofProject.projects.setupState(project.id).orThrow()).contactCount, 1)
    const renamed = await new PosthornSession({ fetch }).ownProjects.update(project.id, { name: "Shop" }).orThrow()
    assert.strictEqual(renamed.name, "Shop")
  })

  it("needs a project for what is of a project, and one that the user is a member of", async () => {
    const { client, ofProject } = await member("bob")
    const { project: foreign, fetch } = await member("eve")
    const { error: none } = await client.contacts.list().page()
    assert.deepStrictEqual([none?.code, none?.errors[0]?.field], ["BAD_REQUEST", "X-Project-Id"])
    const { error: theirs } = await ofProject.projects.setupState(foreign.id)
    assert.strictEqual(theirs?.code, "RESOURCE_NOT_FOUND")
    const outside = new PosthornSession({ fetch, projectId: (await client.users.projects().orThrow())[0]?.id })
    assert.strictEqual((await outside.contacts.list().page()).error?.code, "PROJECT_ACCESS_DENIED")
  })
})
