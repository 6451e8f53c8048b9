/** The secrets of a transport, sealed at rest. */
import type { TransportId } from "@posthorn/contract/mail/transports/Transport"
import { Effect, type Redacted } from "effect"
import type { MailServer } from "../../platform/Mailer.ts"
import type { CannotOpen, Label, SecretBox } from "../../platform/SecretBox.ts"
import type { StoredTransport } from "./TransportRow.ts"

type Secret = "notifications" | "password"

const label = (id: TransportId, secret: Secret): Label => ({ purpose: "transport", owner: `${id}/${secret}` })

export const seal = (
  box: SecretBox["Service"],
  id: TransportId,
  secret: Secret,
  text: Redacted.Redacted<string>
): Effect.Effect<string> => box.seal(label(id, secret), text)

export const open = (
  box: SecretBox["Service"],
  id: TransportId,
  secret: Secret,
  sealed: string
): Effect.Effect<Redacted.Redacted<string>, CannotOpen> => box.open(label(id, secret), sealed)

/** The server of a transport, with its password. A password that does not open is a defect. */
export const serverOf = Effect.fnUntraced(function* (
  box: SecretBox["Service"],
  { host, id, name, password, pool, port, tls, user }: StoredTransport
): Effect.fn.Return<MailServer> {
  const login =
    user === null || password === null
      ? null
      : { user, password: yield* Effect.orDie(open(box, id, "password", password)) }
  return { id, name, host, port, tls, pool, login }
})
