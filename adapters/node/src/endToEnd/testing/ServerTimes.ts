/**
 * The CPU time of a server process on Linux (proc(5)). Other work on the machine delays an answer, but costs the server
 * none of it. On other systems the time that passes takes its place.
 */
import { readdirSync, readFileSync } from "node:fs"

/** The time of a thread that has ended is not known any more. */
const threadMillis = (folder: string): number => {
  try {
    return Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[0]) / 1_000_000
  } catch {
    return 0
  }
}

const isLinux = process.platform === "linux"

/** Of the first thread, which runs the event loop. */
export const loopMillis = (pid: number): number => (isLinux ? threadMillis(`/proc/${pid}`) : performance.now())

/** Of all threads. */
export const processMillis = (pid: number): number => {
  if (!isLinux) return performance.now()
  const threads = `/proc/${pid}/task`
  return readdirSync(threads).reduce((sum, thread) => sum + threadMillis(`${threads}/${thread}`), 0)
}
