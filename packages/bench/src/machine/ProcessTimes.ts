/** Times of a process and of the whole machine on Linux (proc(5)); undefined on other systems. */
import { readFile } from "node:fs/promises"
import { Effect } from "effect"

/** `USER_HZ` is 100 on every architecture Node runs on. */
const millisPerTick = 10

const read = (path: string) => Effect.option(Effect.tryPromise(() => readFile(path, "utf8")))

const parsed = <A>(path: string, parse: (text: string) => A): Effect.Effect<A | undefined> =>
  Effect.map(read(path), (text) => (text._tag === "Some" ? parse(text.value) : undefined))

/** User and system time from a line of `/proc/<pid>/stat`. The name in the line may contain blanks and parentheses. */
export const cpuOfStat = (stat: string): number => {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * millisPerTick
}

export const rssOfStatus = (status: string): number => Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024

/** Milliseconds since the start of the process, of all its threads. */
export const cpuMillis = (pid: number) => parsed(`/proc/${pid}/stat`, cpuOfStat)

/** Its peak memory. */
export const peakOfStatus = (status: string): number => Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024

/** In the form of a sample. */
export const memoryOf = (pid: number) =>
  Effect.map(
    parsed(`/proc/${pid}/status`, (status) => ({
      rssMegabytes: rssOfStatus(status),
      peakMegabytes: peakOfStatus(status)
    })),
    (memory) => memory ?? {}
  )

export const rssMegabytes = (pid: number) => parsed(`/proc/${pid}/status`, rssOfStatus)

export const peakMegabytes = (pid: number) => parsed(`/proc/${pid}/status`, peakOfStatus)

/** Ticks of all processors since the start of the machine. */
export interface MachineTicks {
  readonly all: number
  readonly idle: number
  /** Used by other guests of the same host. */
  readonly steal: number
}

export const ticksOfStat = (stat: string): MachineTicks => {
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = (
    /^cpu +(.*)$/m.exec(stat)?.[1] ?? ""
  )
    .split(" ")
    .map(Number)
  return { all: user + nice + system + idle + iowait + irq + softirq + steal, idle: idle + iowait, steal }
}

export const machineTicks = parsed("/proc/stat", ticksOfStat)

/** Runs an effect, and returns the CPU time of a process meanwhile. */
export const withCpuOf = <A, E, R>(pid: number, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* cpuMillis(pid)
    const result = yield* effect
    const after = yield* cpuMillis(pid)
    return { result, cpuMillis: before === undefined || after === undefined ? undefined : after - before }
  })
