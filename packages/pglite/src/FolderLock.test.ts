import { mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { FolderInUse, holderOf, holdFolder } from "./FolderLock.ts"

const folder = Effect.sync(() => mkdtempSync(join(tmpdir(), "posthorn-lock-")))

it.effect("a folder has one holder at a time", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const second = yield* Effect.scoped(Effect.andThen(holdFolder(path), Effect.flip(Effect.scoped(holdFolder(path)))))
    assert.deepStrictEqual(second, new FolderInUse({ folder: path, pid: process.pid }))
    yield* Effect.scoped(holdFolder(path))
    assert.deepStrictEqual(readdirSync(path), [])
  })
)

it.effect("a live process is named, a dead one is replaced", () =>
  Effect.gen(function* () {
    const path = yield* folder
    writeFileSync(join(path, "posthorn.lock"), String(process.ppid))
    const inUse = yield* Effect.flip(Effect.scoped(holdFolder(path)))
    assert.strictEqual(inUse.pid, process.ppid)
    for (const gone of ["999999999", String(process.pid), ""]) {
      writeFileSync(join(path, "posthorn.lock"), gone)
      yield* Effect.scoped(holdFolder(path))
    }
  })
)

it.effect("whoever asks is told the holder, and nobody once it let go", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const during = yield* Effect.scoped(Effect.andThen(holdFolder(path), holderOf(path)))
    assert.strictEqual(during, process.pid)
    assert.strictEqual(yield* holderOf(path), undefined)
    writeFileSync(join(path, "posthorn.lock"), "999999999")
    assert.strictEqual(yield* holderOf(path), undefined)
  })
)
