/** `--json`, understood by every command. */
import { Flag, GlobalFlag } from "effect/cli"

export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Answer in JSON: one object, or one line for each item of a list")
  )
})

/** Whether the command line asks for it, also one that is otherwise wrong. */
export const asksForJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return (end === -1 ? args : args.slice(0, end)).includes("--json")
}
