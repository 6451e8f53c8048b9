import { assert, layer } from "@effect/vitest"
import { Api } from "@posthorn/contract/Api"
import {
  OwnProject,
  PathProject,
  ProjectAccess,
  ProjectId,
  ProjectSession,
  Session
} from "@posthorn/contract/platform/Auth"
import { Context, Effect } from "effect"
import { addMember, browse, newAddress, newProject, person, settled } from "../../testing/Browser.ts"
import { send, wire } from "../../testing/TestClient.ts"
import { Projects } from "../projects/Projects.ts"

/** Endpoints that require a role. All others accept any member. */
const higher: { readonly [endpoint: string]: "ADMIN" | "OWNER" } = {
  "GET /contacts/export": "ADMIN",
  "POST /contacts/export": "ADMIN",
  "GET /contacts/:id/export": "ADMIN",
  "POST /contacts/:id/erase": "ADMIN",
  "DELETE /contacts/fields/:field": "ADMIN",
  "POST /contacts/bulk-delete": "ADMIN",
  "DELETE /uploads/images/:name": "ADMIN",
  "GET /suppressions/export": "ADMIN",
  "GET /consents/export": "ADMIN",
  "POST /privacy-requests/:id/complete": "ADMIN",
  "POST /privacy-requests/:id/refuse": "ADMIN",
  "DELETE /suppressions/:email": "ADMIN",
  "DELETE /events/:eventName": "ADMIN",
  "POST /domains": "ADMIN",
  "DELETE /domains/:id": "ADMIN",
  "GET /workflows/signing-secret": "ADMIN",
  "POST /workflows/signing-secret/rotate": "ADMIN",
  "POST /projects/:id/members": "ADMIN",
  "PATCH /projects/:id/members/:userId": "ADMIN",
  "DELETE /projects/:id/invitations/:invitationId": "ADMIN",
  "GET /projects/:id/audit": "ADMIN",
  "PATCH /users/@me/projects/:id": "ADMIN",
  "POST /users/@me/projects/:id/regenerate-keys": "ADMIN",
  "POST /users/@me/projects/:id/checkout": "ADMIN",
  "POST /users/@me/projects/:id/billing-portal": "ADMIN",
  "PUT /users/@me/projects/:id/billing-limits": "ADMIN",
  "GET /users/@me/projects/:id/billing-invoices": "ADMIN",
  "GET /webhooks": "ADMIN",
  "POST /webhooks": "ADMIN",
  "GET /webhooks/:id": "ADMIN",
  "PATCH /webhooks/:id": "ADMIN",
  "DELETE /webhooks/:id": "ADMIN",
  "POST /webhooks/:id/rotate-secret": "ADMIN",
  "POST /webhooks/:id/test": "ADMIN",
  "GET /webhooks/:id/deliveries": "ADMIN",
  "GET /webhooks/:id/deliveries/:deliveryId": "ADMIN",
  "POST /webhooks/:id/deliveries/:deliveryId/replay": "ADMIN",
  "POST /webhooks/:id/replay": "ADMIN",
  "GET /api-keys": "ADMIN",
  "POST /api-keys": "ADMIN",
  "GET /api-keys/:id": "ADMIN",
  "PATCH /api-keys/:id": "ADMIN",
  "POST /api-keys/:id/rotate": "ADMIN",
  "DELETE /api-keys/:id": "ADMIN",
  "PATCH /domains/:id": "ADMIN",
  "PUT /domains/:id/warmup": "ADMIN",
  "DELETE /domains/:id/warmup": "ADMIN",
  "POST /domains/:id/warmup/pause": "ADMIN",
  "POST /domains/:id/warmup/resume": "ADMIN",
  "POST /transports": "ADMIN",
  "PATCH /transports/:id": "ADMIN",
  "DELETE /transports/:id": "ADMIN",
  "POST /transports/:id/verify": "ADMIN",
  "PUT /transports/routes": "ADMIN",
  "PATCH /settings/audience": "ADMIN",
  "PATCH /settings/sending": "ADMIN",
  "POST /campaigns/:id/approve": "ADMIN",
  "POST /campaigns/:id/reject": "ADMIN",
  "POST /users/@me/projects/:id/reset": "OWNER",
  "DELETE /users/@me/projects/:id": "OWNER"
}

const somethings = "019a0000-0000-7000-8000-00000000ffff"

const endpoints = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).map((endpoint) => {
    const annotations = Context.merge(group.annotations, endpoint.annotations)
    const path = endpoint.path.replace(/(.)\/$/, "$1")
    const forPeople = endpoint.middlewares.has(ProjectSession)
    const ofProject = endpoint.middlewares.has(ProjectAccess) || forPeople
    const own = endpoint.middlewares.has(OwnProject)
    const parameter = own ? "id" : Context.get(annotations, PathProject)
    return {
      name: `${endpoint.method} ${path}`,
      method: endpoint.method,
      path,
      parameter,
      ofProject,
      own,
      forPeople,
      endpoint
    }
  })
)
type Endpoint = (typeof endpoints)[number]

const taking = endpoints.filter(({ ofProject, own }) => ofProject || own)
const filled = ({ path, parameter }: Endpoint, project: string) =>
  path.replace(`:${parameter}`, project).replace(/:\w+/g, somethings)

const staff = Effect.gen(function* () {
  const owner = yield* person("owner")
  const admin = yield* person("admin")
  const member = yield* person("member")
  const outsider = yield* person("outsider")
  const project = yield* newProject(owner.cookie)
  yield* addMember(owner.cookie, project.id, admin, "ADMIN")
  yield* addMember(owner.cookie, project.id, member, "MEMBER")
  return { owner, admin, member, outsider, project }
})

const ask = (cookie: string, endpoint: Endpoint, project: string, headers?: Record<string, string>) =>
  settled(
    browse(cookie, endpoint.method, filled(endpoint, project), endpoint.method === "GET" ? undefined : {}, {
      "x-project-id": project,
      ...headers
    })
  )

const isRefusedRole = ({ status, body }: { readonly status: number; readonly body: unknown }) =>
  status === 403 && JSON.stringify(body).includes(`"details":{"reason":"role"}`)

layer(wire, { timeout: "120 seconds" })("Roles", (it) => {
  it("every endpoint in the table of this test exists", () => {
    assert.includeMembers(
      taking.map(({ name }) => name),
      Object.keys(higher)
    )
    assert.isAbove(taking.length, 30)
  })

  it.effect("every endpoint of a project accepts the role in the table and no lower one", () =>
    Effect.gen(function* () {
      const { owner, admin, member, project } = yield* staff
      const people = [
        ["MEMBER", member, ["ADMIN", "OWNER"]],
        ["ADMIN", admin, ["OWNER"]],
        ["OWNER", owner, []]
      ] as const
      for (const [role, { cookie }, above] of people) {
        // The endpoints that end the project come last.
        const ordered = taking.toSorted((a, b) => Number(a.name in higher) - Number(b.name in higher))
        for (const endpoint of ordered) {
          const wanted = higher[endpoint.name]
          const answer = yield* ask(cookie, endpoint, project.id)
          const about = `${role} ${endpoint.name}: ${answer.status} ${JSON.stringify(answer.body)}`
          const isRefused = wanted !== undefined && above.some((higher) => higher === wanted)
          assert.strictEqual(isRefusedRole(answer), isRefused, about)
          assert.notStrictEqual(answer.status, 401, about)
          assert.isBelow(answer.status, 500, about)
        }
      }
    })
  )

  it.effect("a user who is not a member has no access, and cannot find out whether a project exists", () =>
    Effect.gen(function* () {
      const { outsider, project, owner } = yield* staff
      for (const endpoint of taking) {
        const answer = yield* ask(outsider.cookie, endpoint, project.id)
        const about = `${endpoint.name}: ${JSON.stringify(answer.body)}`
        if (endpoint.parameter === undefined) {
          assert.deepStrictEqual([answer.status, answer.body.error.code], [403, "PROJECT_ACCESS_DENIED"], about)
        } else {
          assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "RESOURCE_NOT_FOUND"], about)
          assert.deepStrictEqual(answer.body.error.details, { resource: "project", id: project.id }, about)
          const nothing = yield* ask(outsider.cookie, endpoint, somethings)
          const text = JSON.stringify(answer.body.error).replaceAll(project.id, somethings)
          assert.strictEqual(
            text.replace(/"requestId":"[^"]*"/, ""),
            JSON.stringify(nothing.body.error).replace(/"requestId":"[^"]*"/, ""),
            about
          )
        }
      }
      assert.strictEqual((yield* browse(owner.cookie, "GET", "/users/@me/projects")).body.length, 1)
    })
  )

  it.effect("a session needs X-Project-Id where the path names no project; elsewhere the header is ignored", () =>
    Effect.gen(function* () {
      const { member, project } = yield* staff
      for (const header of ["", "no-uuid", `${project.id}x`]) {
        const { status, body } = yield* browse(member.cookie, "GET", "/contacts", undefined, { "x-project-id": header })
        assert.deepStrictEqual(
          [status, body.error.code, body.error.errors[0].field],
          [400, "BAD_REQUEST", "X-Project-Id"]
        )
      }
      for (const path of [`/projects/${project.id}/members`, `/domains/project/${project.id.toUpperCase()}`]) {
        const { status } = yield* browse(member.cookie, "GET", path, undefined, { "x-project-id": "no-uuid" })
        assert.strictEqual(status, 200, path)
      }
    })
  )

  it.effect("the key acts as ADMIN of its project, not as a user, and takes precedence over the cookie", () =>
    Effect.gen(function* () {
      const { owner, project } = yield* staff
      const other = yield* newProject(owner.cookie, "Other")
      const authorization = `Bearer ${project.secret}`
      const members = (id: string) => send("GET", `/projects/${id}/members`, undefined, { authorization })
      assert.strictEqual((yield* members(project.id)).status, 200)
      assert.strictEqual((yield* members(other.id)).body.error.code, "RESOURCE_NOT_FOUND")
      const cookie = { authorization, cookie: `posthorn_session=${owner.cookie}` }
      const both = yield* send("GET", `/projects/${other.id}/members`, undefined, cookie)
      assert.strictEqual(both.status, 404)
      const invite = { email: newAddress("by-key"), role: "ADMIN" }
      assert.strictEqual(
        (yield* send("POST", `/projects/${project.id}/members`, invite, { authorization })).status,
        201
      )
      for (const { name, endpoint, forPeople, method, path } of endpoints) {
        if (!endpoint.middlewares.has(Session) && !endpoint.middlewares.has(OwnProject) && !forPeople) continue
        const answer = yield* send(method, path.replace(":id", project.id), method === "GET" ? undefined : {}, {
          authorization
        })
        assert.deepStrictEqual([answer.status, answer.body.error.code], [401, "UNAUTHORIZED"], name)
      }
      const keys = yield* send(
        "POST",
        "/v1/track",
        { email: "a@example.com", event: "x" },
        {
          authorization: "",
          cookie: `posthorn_session=${owner.cookie}`
        }
      )
      assert.strictEqual(keys.body.error.code, "INVALID_API_KEY")
    })
  )

  it.effect("a removed member loses access with the next request", () =>
    Effect.gen(function* () {
      const { owner, member, project } = yield* staff
      const contacts = browse(member.cookie, "GET", "/contacts", undefined, { "x-project-id": project.id })
      assert.strictEqual((yield* contacts).status, 200)
      yield* browse(owner.cookie, "DELETE", `/projects/${project.id}/members/${member.id}`)
      assert.strictEqual((yield* contacts).body.error.code, "PROJECT_ACCESS_DENIED")
    })
  )

  it.effect("a disabled project is read-only, except for the endpoints that the contract lists", () =>
    Effect.gen(function* () {
      const { owner, member, project } = yield* staff
      const { disable } = yield* Projects
      yield* settled(disable(ProjectId.make(project.id), "PHISHING_DETECTED"))
      const allowed = [
        "DELETE /api-keys/:id",
        "DELETE /projects/:id/members/:userId",
        "POST /api-keys/:id/rotate",
        "POST /contacts/count",
        "POST /contacts/query",
        "POST /privacy-requests/:id/complete",
        "POST /privacy-requests/:id/refuse",
        "POST /settings/audience/preview",
        "POST /templates/:id/render",
        "POST /templates/render",
        "POST /users/@me/projects/:id/billing-portal",
        "POST /users/@me/projects/:id/checkout",
        "POST /users/@me/projects/:id/regenerate-keys",
        "POST /workflows/:id/test-runs",
        "POST /workflows/:id/validate"
      ]
      for (const endpoint of taking) {
        const answer = yield* ask(owner.cookie, endpoint, project.id)
        const isDisabled = answer.body?.error?.code === "PROJECT_DISABLED"
        assert.strictEqual(isDisabled, endpoint.method !== "GET" && !allowed.includes(endpoint.name), endpoint.name)
      }
      const removed = yield* browse(owner.cookie, "DELETE", `/projects/${project.id}/members/${member.id}`)
      assert.strictEqual(removed.status, 204)
      const another = yield* browse(owner.cookie, "POST", "/users/@me/projects", { name: "Another" })
      assert.deepStrictEqual([another.status, another.body.error.details], [403, { reason: "PHISHING_DETECTED" }])
    })
  )

  it.effect("a page of another site cannot write with the session of a member", () =>
    Effect.gen(function* () {
      const { member, project } = yield* staff
      const create = (headers: Record<string, string>) =>
        browse(
          member.cookie,
          "POST",
          "/contacts",
          { email: newAddress("written") },
          { "x-project-id": project.id, ...headers }
        )
      assert.strictEqual((yield* create({ origin: "https://evil.example" })).body.error.code, "FORBIDDEN")
      assert.strictEqual((yield* create({ "sec-fetch-site": "cross-site" })).body.error.code, "FORBIDDEN")
      assert.strictEqual((yield* create({ origin: "https://dashboard.example" })).status, 201)
      const { body } = yield* browse(member.cookie, "GET", "/contacts", undefined, { "x-project-id": project.id })
      assert.strictEqual(body.total, 1)
    })
  )
})
