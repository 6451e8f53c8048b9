/** What people are told about their accounts and projects. Plain text (contract-2 9 to 11). */
import type { MemberRole } from "@posthorn/contract/Auth"
import { Effect } from "effect"
import type { SecretBox } from "../SecretBox.ts"
import { Settings } from "../Settings.ts"
import { sealLink } from "../systemmail/SealedLinks.ts"
import type { Letter } from "../systemmail/SystemMail.ts"

type Addressed = (to: string) => Letter

const letter =
  (subject: string, ...paragraphs: ReadonlyArray<string>): Addressed =>
  (to) => ({ to, subject, body: paragraphs.join("\n\n") })

/** The letter with a link to an account page, which nobody but its recipient gets to see. */
export const withLink = (
  { to, ...letter }: Letter,
  page: "invitation" | "reset-password" | "verify-email",
  token: string
): Effect.Effect<Letter, never, SecretBox> =>
  Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    return { to, ...letter, link: yield* sealLink(to, `${publicUrl}/account/${page}?token=${token}`) }
  })

export const verificationLetter: Addressed = letter(
  "Confirm your email address",
  "Open the link below to confirm the address of your account. It works once, for 24 hours.",
  "If you have not signed up, do nothing: without the link the address stays unconfirmed."
)

export const resetLetter: Addressed = letter(
  "Set a new password",
  "Open the link below to set a new password. It works once, for one hour, and ends every session of the account.",
  "If you have not asked for it, do nothing: your password stays as it is."
)

export const invitationLetter = (project: string, role: MemberRole): Addressed =>
  letter(
    `You are invited to ${project}`,
    `You are invited to the project ${project}, with the role ${role}. The link works for 7 days, for this address only.`
  )

export const addedLetter = (project: string, role: MemberRole): Addressed =>
  letter(`You are a member of ${project}`, `You were added to the project ${project}, with the role ${role}.`)

export const keysReplacedLetter = (project: string): Addressed =>
  letter(
    `The keys of ${project} were replaced`,
    `Both keys of the project ${project} were replaced. The old ones do not work any more.`
  )

const deeds = { added: "added", invited: "invited", changed: "given another role", removed: "removed" }

/** To the OWNER, when it was done with the secret key: a key that is in other hands shows by it. */
export const changedByKeyLetter = (project: string, deed: keyof typeof deeds, member: string): Addressed =>
  letter(
    `The members of ${project} were changed with the secret key`,
    `${member} was ${deeds[deed]} in the project ${project}, by somebody who has its secret key.`,
    "If that was not you, replace the keys of the project."
  )
