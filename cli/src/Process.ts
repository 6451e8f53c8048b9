/**
 * Runs a command as the process: it handles signals, sets the exit code, and stops when the reader of the output is
 * gone.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, Layer, Runtime } from "effect"
import { run } from "./Cli.ts"
import { Signals } from "./Failure.ts"

const signals = { SIGINT: 2, SIGTERM: 15 } as const

/** Ends the process once all output is written. */
const exit = (code: number): void => {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(code)))
}

/**
 * The first SIGINT or SIGTERM shuts the command down: with exit code 0 if that is its normal end, otherwise with 128
 * plus the number of the signal. A second signal ends the process at once.
 */
export const runMain = (args: ReadonlyArray<string>): void => {
  let endsInOrder = false
  let received = 0
  // In `posthorn emails list | head -1`, the reader is gone, so every command but a server can stop.
  process.stdout.on("error", () => {
    if (!endsInOrder) process.exit(0)
  })

  const main = Runtime.makeRunMain(({ fiber }) => {
    for (const [signal, number] of Object.entries(signals)) {
      process.on(signal, () => {
        if (received !== 0) process.exit(128 + number)
        received = 128 + number
        fiber.interruptUnsafe()
      })
    }
    fiber.addObserver((ended) => exit(Exit.isSuccess(ended) ? Number(ended.value) : endsInOrder ? 0 : received || 130))
  })

  const endInOrder = Effect.sync(() => {
    endsInOrder = true
  })
  const surroundings = Layer.merge(NodeServices.layer, Layer.succeed(Signals, { endInOrder }))
  main(Effect.provide(run(args), surroundings), { disableErrorReporting: true })
}
