import { assert, describe, it } from "vitest"
import { Posthorn, PosthornError } from "./index.ts"
import { json, refusal, ScriptedServer } from "./testing/ScriptedServer.ts"

const clientOf = (server: ScriptedServer) =>
  new Posthorn({ secretKey: `sk_${"s".repeat(43)}`, baseUrl: server.url, retries: 0 })

const ids = async (items: AsyncIterable<{ readonly id: string }>, most = Number.POSITIVE_INFINITY) => {
  const found: Array<string> = []
  for await (const { id } of items) if (found.push(id) >= most) break
  return found
}

describe("A list", () => {
  it("iterates over all pages by their cursors, with the same query", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      json(200, { data: [{ id: "1" }, { id: "2" }], cursor: "c=1", hasMore: true, total: 3 }),
      json(200, { data: [], cursor: "c=2", hasMore: true, total: 0 }),
      json(200, { data: [{ id: "3" }], hasMore: false, total: 0 })
    )
    assert.deepStrictEqual(await ids(clientOf(server).contacts.list({ limit: 2, sort: "email" })), ["1", "2", "3"])
    assert.deepStrictEqual(
      server.received.map(({ url }) => url),
      [
        "/contacts?limit=2&sort=email",
        "/contacts?limit=2&sort=email&cursor=c%3D1",
        "/contacts?limit=2&sort=email&cursor=c%3D2"
      ]
    )
  })

  it("of a POST sends the same body with each cursor", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      json(200, { data: [{ id: "1" }], cursor: "c=1", hasMore: true, total: null }),
      json(200, { data: [{ id: "2" }], hasMore: false, total: 0 })
    )
    const body = { condition: { groups: [] }, limit: 1 }
    assert.deepStrictEqual(await ids(clientOf(server).contacts.query(body)), ["1", "2"])
    assert.deepStrictEqual(
      server.received.map(({ method, url, body }) => [method, url, JSON.parse(body)]),
      [
        ["POST", "/contacts/query", body],
        ["POST", "/contacts/query", { ...body, cursor: "c=1" }]
      ]
    )
  })

  it("iterates over all pages by their numbers, from the page in the query", async () => {
    await using server = await ScriptedServer.start()
    const page = (number: number, ...found: ReadonlyArray<string>) =>
      json(200, { data: found.map((id) => ({ id })), page: number, pageSize: 1, total: 3, totalPages: 3 })
    server.answers(page(2, "b"), page(3, "c"))
    assert.deepStrictEqual(await ids(clientOf(server).templates.list({ page: 2, pageSize: 1 })), ["b", "c"])
    assert.deepStrictEqual(
      server.received.map(({ url }) => url),
      ["/templates?page=2&pageSize=1", "/templates?page=3&pageSize=1"]
    )
  })

  it("ends at once if it is empty", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      json(200, { data: [], hasMore: false, total: 0 }),
      json(200, { data: [], page: 1, pageSize: 20, total: 0, totalPages: 0 })
    )
    assert.isEmpty(await ids(clientOf(server).contacts.list()))
    assert.isEmpty(await ids(clientOf(server).templates.list()))
  })

  it("requests no page whose items are not needed", async () => {
    await using server = await ScriptedServer.start()
    server.answers(json(200, { data: [{ id: "1" }, { id: "2" }], cursor: "next", hasMore: true, total: 9 }))
    const list = clientOf(server).contacts.list()
    assert.isEmpty(server.received)
    assert.deepStrictEqual(await ids(list, 2), ["1", "2"])
    assert.lengthOf(server.received, 1)
  })

  it("can be iterated again", async () => {
    await using server = await ScriptedServer.start()
    const only = json(200, { data: [{ id: "1" }], hasMore: false, total: 1 })
    server.answers(only, only)
    const list = clientOf(server).contacts.list()
    assert.deepStrictEqual([await ids(list), await ids(list)], [["1"], ["1"]])
  })

  it("throws the error of a page when it is iterated, and returns it from page()", async () => {
    await using server = await ScriptedServer.start()
    server.answers(refusal(400, "INVALID_CURSOR"), refusal(400, "INVALID_CURSOR"))
    const list = clientOf(server).contacts.list({ cursor: "stale" })
    const thrown = await ids(list).catch((error: unknown) => error)
    assert.instanceOf(thrown, PosthornError)
    assert.deepInclude(thrown, { code: "INVALID_CURSOR" })
    assert.strictEqual((await list.page()).error?.code, "INVALID_CURSOR")
  })

  it("returns one page with its meta", async () => {
    await using server = await ScriptedServer.start()
    server.answers(
      json(200, { data: [{ id: "1" }], cursor: "next", hasMore: true, total: 9 }, { "x-request-id": "r-3" })
    )
    const { data, meta } = await clientOf(server).contacts.list().page()
    assert.deepInclude(data, { cursor: "next", hasMore: true, total: 9 })
    assert.strictEqual(meta.requestId, "r-3")
  })

  it("without pages can also be iterated, and is a call like any other", async () => {
    await using server = await ScriptedServer.start()
    const segments = json(200, [{ id: "1" }, { id: "2" }])
    server.answers(segments, segments, refusal(401, "INVALID_API_KEY"))
    const client = clientOf(server)
    assert.deepStrictEqual(await ids(client.segments.list()), ["1", "2"])
    const list = client.segments.list()
    assert.lengthOf((await list.page()).data ?? [], 2)
    assert.lengthOf(await list.orThrow(), 2)
    assert.lengthOf(server.received, 2)
    assert.deepInclude(await ids(client.segments.list()).catch((error: unknown) => error), { code: "INVALID_API_KEY" })
  })
})
