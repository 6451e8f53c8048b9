import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import { make } from "./DiskStorage.ts"

const project = "019a0000-0000-7000-8000-000000000000"
const key = `${project}/${"a".repeat(64)}.png`
const bytes = (text: string) => new TextEncoder().encode(text)

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "posthorn-uploads-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

it.effect("a file on the disk has the stored content, until it is deleted", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const storage = make(join(path, "uploads"))
    assert.isTrue(Option.isNone(yield* storage.get(key)))
    yield* storage.put(key, bytes("image"), "image/png")
    yield* storage.put(key, bytes("image"), "image/png")
    const found = Option.getOrThrow(yield* storage.get(key))
    assert.strictEqual(found.size, 5)
    assert.strictEqual(yield* Stream.mkString(Stream.decodeText(found.content)), "image")
    assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(path, "uploads", project))), [
      `${"a".repeat(64)}.png`
    ])
    yield* storage.delete(key)
    yield* storage.delete(key)
    assert.isTrue(Option.isNone(yield* storage.get(key)))
  })
)

it.effect("an invalid key is refused, and a failed write leaves no file", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const storage = make(path)
    for (const wrong of ["../secret", `${project}/../../secret.png`, "/etc/passwd", `${project}/a.png`, ""]) {
      yield* Effect.flip(storage.put(wrong, bytes("x"), "image/png"))
      yield* Effect.flip(storage.get(wrong))
      yield* Effect.flip(storage.delete(wrong))
    }
    // A file has the path that the folder of the project needs.
    yield* Effect.promise(() => writeFile(join(path, project), ""))
    yield* Effect.flip(storage.put(key, bytes("x"), "image/png"))
    assert.isTrue(Option.isNone(yield* storage.get(key)))
    assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), [project])
  })
)

it.effect("a check accepts a folder that is writable or can be created, and creates none", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const uploads = join(path, "data", "uploads")
    yield* make(uploads).check
    assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), [])
    yield* make(path).check
    yield* Effect.promise(() => writeFile(join(path, "data"), ""))
    yield* Effect.flip(make(uploads).check)
  })
)
