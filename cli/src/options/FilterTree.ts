/** A condition on contacts, as JSON. */
import type { FilterTree } from "@posthorn/client"
import { Effect } from "effect"
import { CliError, Flag } from "effect/cli"
import { jsonObject } from "./JsonObject.ts"

/** Distinguishes a condition from any other object. The service validates it. */
const isTree = (json: object): json is FilterTree => "groups" in json && Array.isArray(json.groups)

export const filterTree = (name: string): Flag.Flag<FilterTree> =>
  jsonObject(name).pipe(
    Flag.mapEffect((json) =>
      isTree(json)
        ? Effect.succeed(json)
        : new CliError.InvalidValue({
            option: name,
            value: JSON.stringify(json),
            expected: `a filter tree, such as {"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}`,
            kind: "flag"
          })
    )
  )
