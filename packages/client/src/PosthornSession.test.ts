import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { type OperationFacts, operations, PosthornSession } from "./session.ts"
import { json, refusal, ScriptedServer } from "./testing/ScriptedServer.ts"

const projectId = "019a9f3c-0000-7000-8000-000000000001"

interface Documented {
  readonly operationId: string
  readonly security: ReadonlyArray<object>
  readonly "x-posthorn-role": OperationFacts["role"]
  readonly "x-posthorn-scope": ReadonlyArray<string>
}

const file = new URL("../../../openapi/openapi.json", import.meta.url)
const document: { readonly paths: Record<string, Record<string, Documented>> } = JSON.parse(readFileSync(file, "utf8"))

describe("The methods of a session", () => {
  it("are the operations of the document that take a session, and those that people log in with", () => {
    const isOpen = ({ operationId, security }: Documented) =>
      security.length === 0 && /^(?:auth|invited|service)\./.test(operationId)
    const wanted = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .filter((operation) => operation.security.some((scheme) => "session" in scheme) || isOpen(operation))
    const methods = Object.entries(new PosthornSession()).flatMap(([name, resource]) =>
      typeof resource === "function" ? [name] : Object.keys(resource).map((method) => `${name}.${method}`)
    )
    assert.sameMembers(
      methods,
      wanted.map(({ operationId }) => operationId)
    )
  })
})

describe("The operations", () => {
  it("are those of the document, each with its method, path, role and scopes", () => {
    const wanted = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        operation.operationId,
        {
          method: method.toUpperCase(),
          path,
          role: operation["x-posthorn-role"],
          scope: operation["x-posthorn-scope"]
        }
      ])
    )
    assert.deepStrictEqual({ ...operations }, Object.fromEntries(wanted))
  })

  it("say who may call them", () => {
    const facts = (id: keyof typeof operations) => [operations[id].role, [...operations[id].scope]]
    assert.deepStrictEqual(facts("contacts.list"), ["MEMBER", ["contacts:read"]])
    assert.deepStrictEqual(facts("contacts.export"), ["ADMIN", ["contacts:read"]])
    assert.deepStrictEqual(facts("emails.cancel"), ["MEMBER", ["send", "emails:write"]])
    assert.deepStrictEqual(facts("ownProjects.remove"), ["OWNER", []])
    assert.deepStrictEqual(facts("apiKeys.create"), ["ADMIN", []])
    assert.deepStrictEqual(facts("projects.current"), ["MEMBER", ["*"]])
    assert.deepStrictEqual(facts("users.me"), [null, []])
    assert.deepStrictEqual(facts("send"), [null, ["send"]])
    assert.deepStrictEqual(facts("auth.login"), [null, []])
  })
})

describe("A request of a session", () => {
  it("has the project and the headers of the client, and no key", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, { data: [], hasMore: false, total: 0 }))
    const headers = { "x-example": "1" }
    await new PosthornSession({ baseUrl: server.url, projectId, headers }).contacts.list({ limit: 5 }).page()
    const [list] = server.received
    assert.strictEqual(list?.url, "/contacts?limit=5")
    assert.deepInclude(list?.headers, { "x-project-id": projectId, "x-example": "1" })
    assert.notProperty(list?.headers, "authorization")
  })

  it("names no project unless the client has one", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, []))
    await new PosthornSession({ baseUrl: server.url }).users.projects()
    assert.notProperty(server.received[0]?.headers, "x-project-id")
  })

  it("goes to the origin of the page, with its cookie and with no other origin's", async () => {
    const asked: Array<readonly [string, RequestInit["credentials"]]> = []
    const fetch = async (url: string, { credentials }: RequestInit) => {
      asked.push([url, credentials])
      return Response.json({ success: true, data: { github: false, google: false } })
    }
    const { data } = await new PosthornSession({ fetch }).auth.oauthConfig()
    assert.deepStrictEqual(data, { github: false, google: false })
    await new PosthornSession({ fetch, baseUrl: "/mail/api" }).users.me()
    assert.deepStrictEqual(asked, [
      ["/auth/oauth-config", "same-origin"],
      ["/mail/api/users/@me", "same-origin"]
    ])
  })

  it("has an Idempotency-Key where the service takes one", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, { success: true, data: {} }))
    const client = new PosthornSession({ baseUrl: server.url, projectId })
    await client.events.track({ email: "anna@example.com", event: "seen" }, { idempotencyKey: "seen-1" })
    assert.strictEqual(server.received[0]?.headers["idempotency-key"], "seen-1")
  })

  it("returns the error of the service when there is no session", async () => {
    await using server = await ScriptedServer.start()
    server.answers(refusal(401, "UNAUTHORIZED"))
    const { error, meta } = await new PosthornSession({ baseUrl: server.url }).users.me()
    assert.deepStrictEqual([error?.code, meta.status], ["UNAUTHORIZED", 401])
  })
})
