/** Links that grant access like a password. They are encrypted, bound to their recipient, until the email is sent. */
import { Effect, Redacted } from "effect"
import { type CannotOpen, SecretBox } from "../../platform/SecretBox.ts"

const label = (to: string) => ({ purpose: "letter", owner: to })

export const sealLink = (to: string, link: string): Effect.Effect<string, never, SecretBox> =>
  SecretBox.use((box) => box.seal(label(to), Redacted.make(link)))

export const openLink = (to: string, sealed: string): Effect.Effect<string, CannotOpen, SecretBox> =>
  Effect.map(
    SecretBox.use((box) => box.open(label(to), sealed)),
    Redacted.value
  )
