/** Stored projects for the suites of the storage ports. */
import { randomUUID } from "node:crypto"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import { ProjectStore } from "../accounts/projects/ProjectStore.ts"
import { at } from "./StoreValues.ts"

/** The id of a new project. */
export const storeProject = Effect.gen(function* () {
  const id = ProjectId.make(randomUUID())
  const keys = { publicKey: `pk_${id}`, secretHash: `hash of ${id}`, secretHint: "hint" }
  yield* ProjectStore.use((projects) => projects.insert({ id, name: "Shop", ...keys }, at(0)))
  return id
})
