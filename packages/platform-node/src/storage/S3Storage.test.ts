import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import { make } from "./S3Storage.ts"
import { bucketServer } from "./testing/BucketServer.ts"

const key = `019a0000-0000-7000-8000-000000000000/${"a".repeat(64)}.png`
const content = new TextEncoder().encode("image")

const account = { bucket: "images", accessKey: "AKIDEXAMPLE", secretKey: Redacted.make("wJalrXUtnFEMI/K7MDENG+bPxRfi") }

it.effect("a file in a bucket has the stored content, until it is deleted, and every request is signed", () =>
  Effect.gen(function* () {
    const server = yield* bucketServer(account)
    const storage = make({ ...account, endpoint: server.url, publicUrl: undefined })
    assert.isTrue(Option.isNone(yield* storage.get(key)))
    yield* storage.put(key, content, "image/png")
    assert.deepInclude(server.objects.get(key), {
      type: "image/png",
      cacheControl: "public, max-age=31536000, immutable"
    })
    const found = Option.getOrThrow(yield* storage.get(key))
    assert.strictEqual(found.size, 5)
    assert.strictEqual(yield* Stream.mkString(Stream.decodeText(found.content)), "image")
    yield* storage.delete(key)
    yield* storage.delete(key)
    assert.strictEqual(server.objects.size, 0)
    assert.strictEqual(server.refused(), 0)
  })
)

it.effect("a check of a file does not download it", () =>
  Effect.gen(function* () {
    const server = yield* bucketServer(account)
    const storage = make({ ...account, endpoint: server.url, publicUrl: undefined })
    assert.isTrue(Option.isNone(yield* storage.look(key)))
    yield* storage.put(key, content, "image/png")
    assert.deepStrictEqual(yield* storage.look(key), Option.some({ size: 5 }))
    assert.deepStrictEqual(server.methods, ["HEAD", "PUT", "HEAD"])
  })
)

it.effect("a check accepts only storage that grants access, and stores nothing", () =>
  Effect.gen(function* () {
    const server = yield* bucketServer(account)
    const storage = (more: object) => make({ ...account, endpoint: server.url, publicUrl: undefined, ...more })
    yield* storage({}).check
    const hiding = yield* bucketServer({ ...account, hidesAbsent: true })
    yield* storage({ endpoint: hiding.url }).check
    yield* Effect.flip(storage({ secretKey: Redacted.make("another secret") }).check)
    yield* Effect.flip(storage({ bucket: "nowhere" }).check)
    yield* Effect.flip(storage({ endpoint: "http://127.0.0.1:1" }).check)
    assert.strictEqual(server.objects.size, 0)
  })
)

it.effect("a wrong secret stores nothing, and is not mistaken for a missing file", () =>
  Effect.gen(function* () {
    const server = yield* bucketServer(account)
    const secretKey = Redacted.make("another secret")
    const storage = make({ ...account, secretKey, endpoint: server.url, publicUrl: undefined })
    for (const attempt of [storage.put(key, content, "image/png"), storage.get(key), storage.delete(key)]) {
      const { cause } = yield* Effect.flip<unknown, { readonly cause: unknown }, never>(attempt)
      assert.match(String(cause), /answered (?:PUT|GET|DELETE) with 403/)
    }
    assert.strictEqual(server.objects.size, 0)
  })
)

it.effect("storage that is down, or does not answer, fails", () =>
  Effect.gen(function* () {
    const nowhere = make({ ...account, endpoint: "http://127.0.0.1:1", publicUrl: undefined })
    yield* Effect.flip(nowhere.put(key, content, "image/png"))
    const silent = yield* bucketServer({ ...account, isSilent: true })
    const storage = make({ ...account, endpoint: silent.url, publicUrl: undefined })
    const fiber = yield* Effect.forkChild(Effect.flip(storage.put(key, content, "image/png")))
    yield* silent.asked
    yield* TestClock.adjust("31 seconds")
    assert.match(String((yield* Fiber.join(fiber)).cause), /does not answer/)
  })
)

it("a bucket with a public URL serves its files itself", () => {
  const publicUrl = "https://images.example.com"
  assert.strictEqual(make({ ...account, endpoint: "http://s3", publicUrl }).publicUrl(key), `${publicUrl}/${key}`)
  assert.isUndefined(make({ ...account, endpoint: "http://s3", publicUrl: undefined }).publicUrl(key))
})
