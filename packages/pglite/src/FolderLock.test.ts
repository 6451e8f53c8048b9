import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
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

it.effect("a running process is named, a dead one is replaced", () =>
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

it.effect("the holder can be read, and is undefined after release", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const during = yield* Effect.scoped(Effect.andThen(holdFolder(path), holderOf(path)))
    assert.strictEqual(during, process.pid)
    assert.strictEqual(yield* holderOf(path), undefined)
    writeFileSync(join(path, "posthorn.lock"), "999999999")
    assert.strictEqual(yield* holderOf(path), undefined)
  })
)

/** Runs until its scope closes. It prints the pid that the test needs. */
const spawned = (command: string, ...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })
      const [line] = await once(child.stdout, "data")
      return { child, line: String(line).trim() }
    }),
    ({ child }) => Effect.promise(() => ended(child))
  )

const ended = (child: ChildProcess) => {
  const exit = once(child, "exit")
  child.kill("SIGKILL")
  return exit
}

const lockIn = (path: string) => join(path, "posthorn.lock")

it.effect.skipIf(process.platform !== "linux")("a zombie holds nothing", () =>
  Effect.gen(function* () {
    const path = yield* folder
    // The shell starts a child, then becomes a program that never waits for it before the child ends.
    const { line } = yield* spawned("bash", "-c", "sleep 0.3 & echo $!; exec sleep 60")
    const stat = () => readFileSync(`/proc/${line}/stat`, "utf8")
    while (!stat().includes(") Z ")) yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
    writeFileSync(lockIn(path), line)
    yield* Effect.scoped(holdFolder(path))
  }).pipe(Effect.scoped)
)

it.effect("a process with the pid of the owner, but started at another time, holds nothing", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const other = yield* spawned("bash", "-c", "echo up; exec sleep 60")
    const own = yield* Effect.scoped(
      Effect.andThen(
        holdFolder(path),
        Effect.sync(() => readFileSync(lockIn(path), "utf8"))
      )
    )
    const [, ...rest] = own.split(" ")
    writeFileSync(lockIn(path), [other.child.pid, ...rest].join(" "))
    yield* Effect.scoped(holdFolder(path))
  }).pipe(Effect.scoped)
)

it.effect("a copy of a folder in use can be held", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const copy = join(yield* folder, "copy")
    yield* holdFolder(path)
    cpSync(path, copy, { recursive: true })
    yield* Effect.scoped(holdFolder(copy))
    assert.deepStrictEqual(
      yield* Effect.flip(Effect.scoped(holdFolder(path))),
      new FolderInUse({ folder: path, pid: process.pid })
    )
  }).pipe(Effect.scoped)
)
