/** The operator's changes to the lists of disposable and personal domains, read once at the start. */
import { OwnDomains } from "@posthorn/core/audience/verification/DomainLists"
import { Effect, FileSystem, Layer } from "effect"
import { type Config, InvalidConfig } from "../Config.ts"
import { InvalidSetting, type Variable } from "./Variable.ts"
import { variables } from "./Variables.ts"

const unreadable = ({ name }: Variable<string>, file: string) =>
  new InvalidSetting({ variable: name, message: `${name} has "${file}", which cannot be read; it may be a file.` })

const linesOf = Effect.fnUntraced(function* (variable: Variable<string>, file: string | undefined) {
  if (file === undefined) return []
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(
    files.readFileString(file),
    () => new InvalidConfig({ problems: [unreadable(variable, file)] })
  )
  return text.split(/\r?\n/)
})

export const layer = ({
  domainFiles: { disposable, personal }
}: Pick<Config, "domainFiles">): Layer.Layer<never, InvalidConfig, FileSystem.FileSystem> =>
  Layer.effect(
    OwnDomains,
    Effect.all({
      disposable: linesOf(variables.disposableDomainsFile, disposable),
      personal: linesOf(variables.personalDomainsFile, personal)
    })
  )
