/** The command line as a script sees it: a process without a terminal. For tests. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll } from "vitest"

const main = join(import.meta.dirname, "../main.ts")

/** Of one test file; gone when all of its tests are through. */
const home = mkdtempSync(join(tmpdir(), "posthorn-cli-"))
afterAll(() => rmSync(home, { recursive: true, force: true }))

export const newFolder = (): string => mkdtempSync(join(home, "folder-"))

export interface Surroundings {
  /** Beside it only what a process cannot do without; nothing of the test run's own settings. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** All of standard input. Default: none. */
  readonly input?: string | undefined
  readonly cwd?: string | undefined
}

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Started, with its output as text. */
export const started = (args: ReadonlyArray<string>, { env, input = "", cwd }: Surroundings = {}): ChildProcess => {
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, [main, ...args], { cwd: cwd ?? newFolder(), env: { PATH, HOME, ...env } })
  child.stdout?.setEncoding("utf8")
  child.stderr?.setEncoding("utf8")
  child.stdin?.end(input)
  return child
}

/** What has become of it once it has ended. */
export const ended = (child: ChildProcess): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    let stdout = ""
    let stderr = ""
    child.stdout?.on("data", (text: string) => {
      stdout += text
    })
    child.stderr?.on("data", (text: string) => {
      stderr += text
    })
    child.on("close", (code) => resume(Effect.succeed({ code, stdout, stderr })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Runs one command line to its end. */
export const posthorn = (args: ReadonlyArray<string>, surroundings?: Surroundings): Effect.Effect<Ended> =>
  Effect.suspend(() => ended(started(args, surroundings)))

/** The lines of a text that ends with a line break. */
export const lines = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.trimEnd().split("\n"))
