/**
 * With `npm run dev`, npm runs a shell that runs the program. A signal that ends npm reaches neither of them, and the
 * port and the folder would stay in use. So the program ends when its parent or grandparent ends.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { Effect } from "effect"

const attempt = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ""
  }
}

/** 0 if it is unknown. */
const parentOf = (pid: number): number => {
  if (process.platform === "win32") return 0
  // proc(5): the state and the parent follow the name in parentheses.
  const text =
    process.platform === "linux"
      ? attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"))
          .split(") ")
          .at(-1)
          ?.split(" ")[1]
      : attempt(() => execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" }))
  return Number.parseInt(text ?? "", 10) || 0
}

/** Uses real time, because the clock of dev mode can be moved. */
const second = Effect.callback<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), 1_000)
  timer.unref()
  return Effect.sync(() => clearTimeout(timer))
})

/** Completes when the npm that started this process has ended. Never completes if something else started it. */
export const starterIsGone: Effect.Effect<void> = Effect.suspend(() => {
  if (process.env["npm_lifecycle_event"] === undefined) return Effect.never
  const parent = process.ppid
  const grandparent = parentOf(parent)
  const isThere = () => process.ppid === parent && [grandparent, 0].includes(parentOf(parent))
  return Effect.repeat(second, { while: () => isThere() }).pipe(
    Effect.andThen(Effect.logInfo("The program that started posthorn dev has ended, so it ends too"))
  )
})
