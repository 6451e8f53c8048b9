/** The secret that a project's WEBHOOK steps sign with. It is stored sealed, and created when it is first needed. */

import type { RotatedSigningSecret, SigningSecret } from "@posthorn/contract/automation/workflows/Workflow"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import type { SqlClient } from "effect/sql"
import { SecretBox } from "../../platform/SecretBox.ts"
import { Transaction } from "../../platform/Transaction.ts"
import * as WorkflowSecretStore from "./WorkflowSecretStore.ts"

/** Shows and rotates the secret. A service, because HTTP handlers call it. */
export class SigningSecrets extends Context.Service<
  SigningSecrets,
  {
    readonly show: (project: ProjectId) => Effect.Effect<SigningSecret>
    /** The previous secret stays valid for 24 hours. An older one ends now. */
    readonly rotate: (project: ProjectId) => Effect.Effect<RotatedSigningSecret>
    /** The secrets to sign with now: the current one, and for 24 hours after a rotation the previous one. */
    readonly current: (project: ProjectId) => Effect.Effect<ReadonlyArray<Redacted.Redacted<string>>>
  }
>()("@posthorn/core/automation/workflows/SigningSecrets") {}

/** Standard Webhooks requires 24 to 64 bytes. */
const keyBytes = 32
const overlap = Duration.hours(24)

const labelOf = (project: ProjectId) => ({ purpose: "workflow-signing", owner: project })

export const layer: Layer.Layer<
  SigningSecrets,
  never,
  SecretBox | SecureRandom.SecureRandom | SqlClient.SqlClient | Transaction
> = Layer.effect(
  SigningSecrets,
  Effect.gen(function* () {
    const box = yield* SecretBox
    const random = yield* SecureRandom.SecureRandom
    const store = yield* WorkflowSecretStore.make
    const transaction = yield* Transaction

    const open = (project: ProjectId, sealed: string) => Effect.orDie(box.open(labelOf(project), sealed))

    const newSealed = Effect.fnUntraced(function* (project: ProjectId) {
      const secret = `whsec_${Base64.encode(yield* random.randomBytes(keyBytes))}`
      return yield* box.seal(labelOf(project), Redacted.make(secret))
    })

    /** The stored secret, created if missing. Two simultaneous first calls get the same one. */
    const stored = Effect.fnUntraced(function* (project: ProjectId) {
      const found = yield* store.find(project)
      if (Option.isSome(found)) return found.value
      return yield* store.insert(project, yield* newSealed(project), yield* DateTime.now)
    })

    const show = Effect.fn("SigningSecrets.show")(function* (project: ProjectId) {
      const { secret, createdAt } = yield* stored(project)
      return { secret: Redacted.value(yield* open(project, secret)), createdAt }
    })

    const rotate = Effect.fn("SigningSecrets.rotate")(function* (project: ProjectId) {
      const now = yield* DateTime.now
      yield* stored(project)
      const previousValidUntil = DateTime.addDuration(now, overlap)
      const { secret } = yield* store.rotate(project, yield* newSealed(project), previousValidUntil, now)
      return { secret: Redacted.value(yield* open(project, secret)), createdAt: now, previousValidUntil }
    }, transaction.run)

    const isPreviousValid = ({ previousValidUntil }: WorkflowSecretStore.StoredSecret, now: DateTime.Utc): boolean =>
      previousValidUntil !== null && DateTime.isGreaterThan(previousValidUntil, now)

    const current = Effect.fn("SigningSecrets.current")(function* (project: ProjectId) {
      const found = yield* stored(project)
      const isOverlap = isPreviousValid(found, yield* DateTime.now)
      const sealed = isOverlap && found.previous !== null ? [found.secret, found.previous] : [found.secret]
      return yield* Effect.forEach(sealed, (each) => open(project, each))
    })

    return SigningSecrets.of({ show, rotate, current })
  })
)
