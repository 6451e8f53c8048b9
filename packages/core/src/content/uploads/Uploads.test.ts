import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as OwnProjects from "../../service/projects/OwnProjects.ts"
import { browse, newProject, person, settled } from "../../testing/Browser.ts"
import { key, project, services } from "../../testing/Services.ts"
import { send, Wire, wireOver } from "../../testing/TestClient.ts"
import { maxProjectBytes } from "./Images.ts"
import { ObjectStorage, StorageFailed } from "./ObjectStorage.ts"
import { png, svg, webpLossy } from "./SampleImages.ts"

const objects = new Map<string, { readonly content: Uint8Array; readonly contentType: string }>()
const storageState = { isDown: false, puts: 0, gets: 0 }

const whileUp = <A>(value: () => A) =>
  Effect.suspend(() => (storageState.isDown ? Effect.fail(new StorageFailed({ cause: "down" })) : Effect.sync(value)))

const storage = ObjectStorage.of({
  put: (key, content, contentType) =>
    whileUp(() => {
      storageState.puts++
      objects.set(key, { content, contentType })
    }),
  get: (key) =>
    whileUp(() => {
      storageState.gets++
      return Option.map(Option.fromUndefinedOr(objects.get(key)), ({ content }) => ({
        size: content.length,
        content: Stream.succeed(content)
      }))
    }),
  look: (key) =>
    whileUp(() => Option.map(Option.fromUndefinedOr(objects.get(key)), ({ content }) => ({ size: content.length }))),
  delete: (key) => whileUp(() => void objects.delete(key)),
  check: whileUp(() => undefined),
  kind: "folder",
  publicUrl: () => undefined
})

interface Part {
  readonly name: string
  readonly content: Uint8Array | string
  readonly filename?: string
  readonly type?: string
}

/** Uploads as a browser does. */
const upload = Effect.fnUntraced(function* (
  parts: ReadonlyArray<Part>,
  { secret = key, headers = {} }: { readonly secret?: string; readonly headers?: Record<string, string> } = {}
) {
  const form = new FormData()
  for (const { name, content, filename, type = "image/png" } of parts) {
    if (filename === undefined && typeof content === "string") form.append(name, content)
    else form.append(name, new Blob([Uint8Array.from(content as Uint8Array)], { type }), filename ?? "logo.png")
  }
  const handler = yield* Wire
  const response = yield* Effect.promise(() =>
    handler(
      new Request("http://posthorn/uploads/image", {
        method: "POST",
        body: form,
        headers: { authorization: `Bearer ${secret}`, ...headers }
      })
    )
  )
  return { status: response.status, body: JSON.parse(yield* Effect.promise(() => response.text())) }
})

const image = (content: Uint8Array, more: Partial<Part> = {}) => upload([{ name: "image", content, ...more }])
const code = ({ status, body }: { readonly status: number; readonly body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? "ok"}`
const rows = (of: string) =>
  SqlClient.SqlClient.use((sql) => sql`select name from images where project_id = ${of}::uuid`)

const everything = wireOver(services.pipe(Layer.provide(Layer.succeed(ObjectStorage, storage))))

layer(everything, { timeout: "60 seconds" })("Images", (it) => {
  it.effect("are stored under their content, and identified by their bytes", () =>
    Effect.gen(function* () {
      const { status, body } = yield* image(png(600, 200), { filename: "../../etc/lo\u202ego.html", type: "text/html" })
      assert.strictEqual(status, 201)
      assert.match(body.key, new RegExp(`^${project}/[0-9a-f]{64}\\.png$`))
      assert.deepStrictEqual(body, {
        url: `https://posthorn.example/uploads/${body.key}`,
        key: body.key,
        filename: "logo.html",
        contentType: "image/png",
        size: 33,
        width: 600,
        height: 200
      })
      assert.strictEqual(objects.get(body.key)?.contentType, "image/png")
    })
  )

  it.effect("are stored once: the same image again has the same URL", () =>
    Effect.gen(function* () {
      const first = yield* image(webpLossy(20, 20))
      const { puts } = storageState
      const second = yield* upload([{ name: "file", content: webpLossy(20, 20), filename: "other.webp" }])
      assert.deepStrictEqual([second.status, second.body.url], [201, first.body.url])
      assert.strictEqual(storageState.puts, puts)
    })
  )

  it.effect("are served to everyone, with their media type, and nothing in them runs", () =>
    Effect.gen(function* () {
      const { body } = yield* image(png(7, 7))
      const answer = yield* send("GET", `/uploads/${body.key}`, undefined, { authorization: "" })
      assert.strictEqual(answer.status, 200)
      const header = (name: string) => answer.headers.get(name)
      assert.strictEqual(header("content-type"), "image/png")
      assert.strictEqual(header("content-length"), "33")
      assert.strictEqual(header("x-content-type-options"), "nosniff")
      assert.strictEqual(header("content-security-policy"), "default-src 'none'; sandbox")
      assert.strictEqual(header("cache-control"), "public, max-age=31536000, immutable")
      const { gets } = storageState
      const looked = yield* send("HEAD", `/uploads/${body.key}`)
      assert.strictEqual(looked.status, 200)
      assert.deepStrictEqual([...looked.headers.keys()].sort(), [...answer.headers.keys()].sort())
      assert.strictEqual(looked.headers.get("content-length"), "33")
      assert.strictEqual(storageState.gets, gets)
      assert.strictEqual((yield* send("HEAD", `/uploads/${project}/${"a".repeat(64)}.png`)).status, 404)
    })
  )

  it.effect("nothing else is served, for any path", () =>
    Effect.gen(function* () {
      objects.set("secret", { content: png(1, 1), contentType: "image/png" })
      objects.set(`${project}/secret.png`, { content: png(1, 1), contentType: "image/png" })
      const name = `${"a".repeat(64)}.png`
      for (const path of [
        `/uploads/${project}/${name}`,
        `/uploads/${project}/secret.png`,
        `/uploads/${project}/..%2fsecret`,
        `/uploads/..%2f..%2fetc/passwd`,
        `/uploads/%2e%2e/secret`,
        `/uploads/${project}%2f${name}/${name}`,
        `/uploads/${project}/${name}%00.html`,
        `/uploads/${project}/${"A".repeat(64)}.png`,
        `/uploads/${project}/${"a".repeat(64)}.svg`,
        `/uploads/${project}`,
        "/uploads/"
      ]) {
        const { status, headers } = yield* send("GET", path)
        assert.deepStrictEqual([status, headers.get("cache-control")], [404, "no-store"], path)
      }
    })
  )

  it.effect("a form has one file", () =>
    Effect.gen(function* () {
      const content = png(1, 1)
      const fault = ({ status, body }: Effect.Success<ReturnType<typeof upload>>) =>
        `${status} ${body.error.errors[0].field} ${body.error.errors[0].code}`
      assert.strictEqual(fault(yield* upload([{ name: "other", content: "text" }])), "422 image required")
      assert.strictEqual(fault(yield* upload([{ name: "picture", content }])), "422 image required")
      assert.strictEqual(fault(yield* image(new Uint8Array())), "422 image custom")
      const two = [
        { name: "image", content },
        { name: "file", content }
      ]
      assert.strictEqual(fault(yield* upload(two)), "422 image custom")
      assert.strictEqual(code(yield* send("POST", "/uploads/image", { image: "x" })), "415 UNSUPPORTED_MEDIA_TYPE")
    })
  )

  it.effect("a file that is not an image is refused, with any name", () =>
    Effect.gen(function* () {
      const refused = [svg, new TextEncoder().encode("<html>"), png(10_001, 1), png(1, 1).subarray(0, 20)]
      for (const content of refused) assert.strictEqual(code(yield* image(content)), "415 UNSUPPORTED_MEDIA_TYPE")
    })
  )

  it.effect("files of up to 10 MB are accepted", () =>
    Effect.gen(function* () {
      const large = new Uint8Array(10 * 1024 * 1024 + 1)
      large.set(png(3, 3))
      assert.strictEqual(code(yield* image(large.subarray(0, -1))), "201 ok")
      const { status, body } = yield* image(large)
      assert.deepStrictEqual([status, body.error.details], [413, { limitBytes: 10 * 1024 * 1024 }])
    })
  )

  it.effect("all images of a project may have 1 GB, counted exactly, even for concurrent uploads", () =>
    Effect.gen(function* () {
      const owner = yield* person("owner")
      const { id, secret } = yield* newProject(owner.cookie)
      const sql = yield* SqlClient.SqlClient
      const room = 33 * 3
      yield* sql`
        insert into images (project_id, name, size, stored, created_at)
        values (${id}, 'many', ${maxProjectBytes - room}, true, now())`
      const one = (n: number) => upload([{ name: "image", content: png(n, 1) }], { secret })
      const answers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], one, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(code).sort(), [
        "201 ok",
        "201 ok",
        "201 ok",
        "413 PAYLOAD_TOO_LARGE",
        "413 PAYLOAD_TOO_LARGE",
        "413 PAYLOAD_TOO_LARGE"
      ])
      const taken = [1, 2, 3, 4, 5, 6].find((n) => answers[n - 1]?.status === 201) ?? 0
      assert.strictEqual(code(yield* one(taken)), "201 ok")
    })
  )

  it.effect("an upload whose process died reserves its space for an hour, and can be repeated", () =>
    Effect.gen(function* () {
      const owner = yield* person("owner")
      const { id, secret } = yield* newProject(owner.cookie)
      const sql = yield* SqlClient.SqlClient
      const now = yield* DateTime.now
      yield* sql`
        insert into images (project_id, name, size, stored, created_at)
        values (${id}, 'died', ${maxProjectBytes - 40}, false, ${DateTime.toDate(now)})`
      const one = (n: number) => Effect.map(upload([{ name: "image", content: png(n, 1) }], { secret }), code)
      assert.strictEqual(yield* one(1), "201 ok")
      assert.strictEqual(yield* one(2), "413 PAYLOAD_TOO_LARGE")
      yield* sql`update images set stored = false where project_id = ${id}::uuid`
      assert.strictEqual(yield* one(1), "201 ok")
      yield* TestClock.adjust("61 minutes")
      assert.strictEqual(yield* one(2), "201 ok")
      assert.strictEqual((yield* rows(id)).length, 2)
    })
  )

  it.effect("a failure of the storage gives 503, and leaves nothing", () =>
    Effect.gen(function* () {
      const before = (yield* rows(project)).length
      storageState.isDown = true
      const answer = yield* image(png(99, 99))
      const served = yield* send("GET", `/uploads/${project}/${"b".repeat(64)}.png`)
      storageState.isDown = false
      assert.strictEqual(code(answer), "503 SERVICE_UNAVAILABLE")
      assert.strictEqual(code(served), "503 SERVICE_UNAVAILABLE")
      assert.strictEqual((yield* rows(project)).length, before)
      assert.strictEqual(code(yield* image(png(99, 99))), "201 ok")
    })
  )

  it.effect("are deleted with their project; if the storage is down, the deletion is retried", () =>
    Effect.gen(function* () {
      const owner = yield* person("owner")
      const { id, secret } = yield* newProject(owner.cookie)
      yield* upload([{ name: "image", content: png(6, 6) }], { secret })
      yield* settled(browse(owner.cookie, "DELETE", `/users/@me/projects/${id}`))
      const wipeAll = settled(Effect.flatMap(OwnProjects.make, (projects) => projects.wipeAll))
      storageState.isDown = true
      yield* wipeAll
      storageState.isDown = false
      assert.strictEqual((yield* rows(id)).length, 1)
      yield* wipeAll
      assert.isFalse([...objects.keys()].some((key) => key.startsWith(id)))
      assert.strictEqual((yield* rows(id)).length, 0)
    })
  )

  it.effect("are deleted by a reset of their project", () =>
    Effect.gen(function* () {
      const owner = yield* person("owner")
      const { id, secret } = yield* newProject(owner.cookie)
      yield* upload([{ name: "image", content: png(5, 5) }], { secret })
      const stored = () => [...objects.keys()].filter((key) => key.startsWith(id)).length
      assert.strictEqual(stored(), 1)
      yield* settled(browse(owner.cookie, "POST", `/users/@me/projects/${id}/reset`))
      assert.deepStrictEqual([stored(), (yield* rows(id)).length], [0, 0])
    })
  )

  it.effect("members may upload, the public key may not", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        code(yield* upload([{ name: "image", content: png(1, 1) }], { secret: `pk_${"a".repeat(43)}` })),
        "401 INVALID_API_KEY"
      )
    })
  )
})
