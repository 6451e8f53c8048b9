/**
 * `node packages/console/build/main.ts` builds the console if its sources changed since the last build. A development
 * server runs it, and so do the tests.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import { isBuilt } from "./Stamp.ts"

const home = resolve(import.meta.dirname, "..")

/** Holds the id of the process that builds. */
const lock = join(tmpdir(), `posthorn-console-${home.replaceAll(/\W/g, "-")}.lock`)

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const takeLock = () => {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" })
    return true
  } catch {
    return false
  }
}

const holder = () => {
  try {
    return Number(readFileSync(lock, "utf8"))
  } catch {
    return 0
  }
}

/** A build first empties the folder, so one process builds at a time. The lock of a process that ended is void. */
const alone = async (work: () => Promise<unknown>) => {
  while (!takeLock()) {
    const pid = holder()
    if (pid > 0 && !isRunning(pid)) rmSync(lock, { force: true })
    else await setTimeout(100)
  }
  try {
    await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

if (!isBuilt()) {
  await alone(async () => {
    if (isBuilt()) return
    // Loading the builder takes longer than finding that nothing changed.
    const { build } = await import("vite")
    await build({ root: home, logLevel: "error" })
  })
}
