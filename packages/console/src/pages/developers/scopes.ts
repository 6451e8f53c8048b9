/** The scopes of an API key, and sets of them that are chosen by name. */
import type { CreateApiKey } from "@posthorn/client/session"

export type Scope = CreateApiKey["scopes"][number]

const nouns = [
  "emails",
  "contacts",
  "events",
  "templates",
  "campaigns",
  "segments",
  "workflows",
  "suppressions",
  "domains",
  "webhooks",
  "transports",
  "topics",
  "forms",
  "settings"
] as const

export const scopes: ReadonlyArray<Scope> = [
  "send",
  "verify",
  "uploads:write",
  ...nouns.flatMap((noun) => [`${noun}:read`, `${noun}:write`] as const),
  "analytics:read",
  "consents:read"
]

/** What a key of test mode may have: it changes nothing but test mail. */
export const testScopes: ReadonlyArray<Scope> = scopes.filter(
  (scope) => scope === "send" || scope === "emails:write" || scope.endsWith(":read")
)

export const presets = {
  sending: ["send", "emails:read"],
  read: scopes.filter((scope) => scope.endsWith(":read")),
  all: ["*"]
} as const satisfies { readonly [name: string]: ReadonlyArray<Scope> }

export type Preset = keyof typeof presets | "own"

const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
  one.length === other.length && one.every((scope) => other.includes(scope))

export const presetOf = (chosen: ReadonlyArray<string>): Preset =>
  (Object.keys(presets) as ReadonlyArray<keyof typeof presets>).find((name) => isSame(presets[name], chosen)) ?? "own"
