/** A running `posthorn dev`. For tests. */
import type { ChildProcess } from "node:child_process"
import { assert } from "@effect/vitest"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import { Context, Effect, Layer, Schema } from "effect"
import { ended, lines, newFolder, posthorn, started } from "./CommandLine.ts"

const Line = Schema.fromJsonString(
  Schema.Struct({
    url: Schema.String,
    publicKey: Schema.String,
    secretKey: Schema.String,
    projectId: Schema.String,
    email: Schema.String,
    password: Schema.String,
    domain: Schema.String,
    pid: Schema.Int
  })
)

export class DevServer extends Context.Service<DevServer, typeof Line.Type & { readonly dataDir: string }>()(
  "posthorn/testing/DevServer"
) {}

/** The first line it prints, all of it. */
export const firstLine = (child: ChildProcess): Effect.Effect<string> =>
  Effect.callback((resume) => {
    let text = ""
    child.stdout?.on("data", (more: string) => {
      text += more
      if (text.includes("\n")) resume(Effect.succeed(text.slice(0, text.indexOf("\n"))))
    })
    child.on("exit", (code) => resume(Effect.die(new Error(`It ended with ${code} before it was ready`))))
  })

/** One process on a data folder of its own, ended in order. */
export const layer: Layer.Layer<DevServer> = Layer.effect(
  DevServer,
  Effect.gen(function* () {
    const dataDir = dataFolder()
    const args = ["dev", "--port", "0", "--json", "--data-dir", dataDir]
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => started(args)),
      (child) =>
        Effect.suspend(() => {
          child.kill("SIGTERM")
          return child.exitCode === null ? Effect.asVoid(ended(child)) : Effect.void
        })
    )
    const line = yield* Schema.decodeEffect(Line)(yield* firstLine(child))
    return DevServer.of({ ...line, dataDir })
  }).pipe(Effect.orDie)
)

/** The commands of a noun on that service, run in a folder of their own. */
export const commands = (noun: string) =>
  Effect.map(DevServer, ({ url, secretKey }) => {
    const cwd = newFolder()
    const ended = (...args: ReadonlyArray<string>) =>
      posthorn([noun, ...args, "--url", url, "--key", secretKey], { cwd })
    /** One that must end well. */
    const run = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
      const answer = yield* ended(...args)
      assert.strictEqual(answer.code, 0, answer.stderr)
      return answer
    })
    const json = (...args: ReadonlyArray<string>) =>
      Effect.map(run(...args, "--json"), ({ stdout }) => lines(stdout).map((line) => JSON.parse(line)))
    return { cwd, ended, run, json }
  })
