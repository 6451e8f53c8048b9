/** A running `posthorn dev`. For tests. */
import type { ChildProcess } from "node:child_process"
import { assert } from "@effect/vitest"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import { eventually } from "@posthorn/core/testing/Eventually"
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

/** The complete first line that it prints. */
export const firstLine = (child: ChildProcess): Effect.Effect<string> =>
  Effect.callback((resume) => {
    let text = ""
    child.stdout?.on("data", (more: string) => {
      text += more
      if (text.includes("\n")) resume(Effect.succeed(text.slice(0, text.indexOf("\n"))))
    })
    child.on("exit", (code) => resume(Effect.die(new Error(`It ended with ${code} before it was ready`))))
  })

/** A process on a data folder, shut down in order. */
const onFolder = Effect.fnUntraced(function* (dataDir: string) {
  const child = yield* Effect.acquireRelease(
    started(["dev", "--port", "0", "--json", "--data-dir", dataDir], { env: { POSTHORN_DNS_SERVERS: "127.0.0.1:1" } }),
    (child) =>
      Effect.suspend(() => {
        child.kill("SIGTERM")
        return child.exitCode === null ? Effect.asVoid(ended(child)) : Effect.void
      })
  )
  const line = yield* Schema.decodeEffect(Line)(yield* firstLine(child))
  return DevServer.of({ ...line, dataDir })
}, Effect.orDie)

/** One process on its own data folder. */
export const layer: Layer.Layer<DevServer> = Layer.effect(
  DevServer,
  Effect.suspend(() => onFolder(dataFolder()))
)

/** Runs the effect while a process uses the folder. Nothing holds the folder before or after it. */
export const during = <A, E, R>(dataDir: string, effect: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.andThen(onFolder(dataDir), effect))

/** The token of the link in the last email to an address. */
export const tokenTo = (email: string) =>
  Effect.flatMap(DevServer, ({ url }) =>
    eventually(
      Effect.promise(async () => {
        const { data } = JSON.parse(await (await fetch(`${url}/dev/mailbox.json?to=${email}`)).text())
        return /[?&]token=([\w.-]+)/.exec(data[0]?.text ?? "")?.[1] ?? ""
      }),
      (token) => token !== ""
    )
  )

/** The subcommands of a command against that service, run in a separate folder. */
export const commands = (noun: string) =>
  Effect.map(DevServer, ({ url, secretKey }) => {
    const cwd = newFolder()
    const ended = (...args: ReadonlyArray<string>) =>
      posthorn([noun, ...args, "--url", url, "--key", secretKey], { cwd })
    /** Runs a command that must succeed. */
    const run = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
      const answer = yield* ended(...args)
      assert.strictEqual(answer.code, 0, answer.stderr)
      return answer
    })
    const json = (...args: ReadonlyArray<string>) =>
      Effect.map(run(...args, "--json"), ({ stdout }) => lines(stdout).map((line) => JSON.parse(line)))
    return { cwd, ended, run, json }
  })
