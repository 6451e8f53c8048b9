/** A condition on contacts, as JSON; whether it is one is for the service to say. */
import type { FilterTree } from "@posthorn/client"
import { Flag } from "effect/cli"
import { jsonObject } from "./JsonObject.ts"

export const filterTree = (name: string): Flag.Flag<FilterTree> =>
  Flag.map(jsonObject(name), (tree) => tree as unknown as FilterTree)
