/** Rules for creating an account without an invitation. */
import { Effect } from "effect"
import { Settings } from "../../platform/Settings.ts"
import type { AccountStore } from "./AccountStore.ts"

export const signups = Effect.fnUntraced(function* (store: AccountStore["Service"]) {
  const { signups } = yield* Settings
  return {
    /**
     * Whether anyone may sign up. With `first`, another account may still be created before this one; `insert` decides.
     */
    isOpen: signups === "first" ? Effect.map(store.hasAny, (any) => !any) : Effect.succeed(signups === "open"),
    /** None: the address has an account, or another account was first. */
    insert: signups === "first" ? store.insertFirst : store.insert
  }
})
