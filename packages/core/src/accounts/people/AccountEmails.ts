/** Emails to people about their accounts and projects. Plain text. */
import type { MemberRole } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import type { SecretBox } from "../../platform/SecretBox.ts"
import { Settings } from "../../platform/Settings.ts"
import { inSubject, inText } from "../systemmail/Names.ts"
import { sealLink } from "../systemmail/SealedLinks.ts"
import type { SystemEmail } from "../systemmail/SystemMail.ts"

type Addressed = (to: string) => SystemEmail

const letter =
  (subject: string, ...paragraphs: ReadonlyArray<string>): Addressed =>
  (to) => ({ to, subject, body: paragraphs.join("\n\n") })

/** The email with a link to an account page. The link is sealed, so only its recipient sees it. */
export const withLink = (
  { to, ...letter }: SystemEmail,
  page: "invitation" | "reset-password" | "verify-email",
  token: string
): Effect.Effect<SystemEmail, never, SecretBox> =>
  Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    return { to, ...letter, link: yield* sealLink(to, `${publicUrl}/account/${page}?token=${token}`) }
  })

export const verificationLetter: Addressed = letter(
  "Confirm your email address",
  "Open the link below to confirm the address of your account, with its password. It works once, for 24 hours.",
  "If you have not signed up, somebody else has used your address. The link shows when and from where, and deletes the account if you say so."
)

export const resetLetter: Addressed = letter(
  "Set a new password",
  "Open the link below to set a new password. It works once, for one hour, and ends every session of the account.",
  "If you have not asked for it, do nothing: your password stays as it is."
)

const notYou = "If that was not you, set a new password at once and look at the sessions of your account."

export const twoFactorsOnLetter: Addressed = letter(
  "Two factors are on",
  "From now on each login to your account needs a second factor. All other sessions have ended.",
  "Keep the recovery codes where you find them without your authenticator app.",
  notYou
)

export const twoFactorsOffLetter: Addressed = letter(
  "Two factors are off",
  "Logins to your account need the password alone again.",
  notYou
)

export const recoveryCodeLetter = (left: number): Addressed =>
  letter(
    "A recovery code was used",
    `One of the recovery codes of your account was used; ${left} are left.`,
    "To get new ones, switch two factors off and on again.",
    notYou
  )

export const passkeyAddedLetter = (name: string): Addressed =>
  letter("A passkey was added", `The passkey "${name}" was added to your account, and can log in to it.`, notYou)

export const passkeyRemovedLetter = (name: string): Addressed =>
  letter("A passkey was removed", `The passkey "${name}" was removed from your account.`, notYou)

export const invitationLetter = (project: string, role: MemberRole): Addressed =>
  letter(
    `You are invited to ${inSubject(project, "a project")}`,
    `You are invited to the project ${inText(project)}, with the role ${role}. The link works for 7 days, for this address only.`,
    "If you do nothing, you do not become a member."
  )

export const ownershipLetter = (project: string): Addressed =>
  letter(
    `You are offered ${inSubject(`the project ${project}`, "a project")}`,
    `The owner of the project ${inText(project)} would like to hand it over to you. If you accept, you own the project, and the owner of today is an administrator. The link works for 7 days, for this address only.`,
    "If you do nothing, everything stays as it is."
  )

export const handedOverLetter = (project: string, owner: string): Addressed =>
  letter(
    `${inSubject(`The project ${project}`, "A project of yours")} has a new owner`,
    `${owner} has accepted the project ${inText(project)} and owns it now. You are an administrator of it.`
  )

export const keysReplacedLetter = (project: string): Addressed =>
  letter(
    `The keys of ${inSubject(project, "a project")} were replaced`,
    `Both keys of the project ${inText(project)} were replaced. The old ones do not work any more.`
  )

const deeds = { invited: "invited", changed: "given another role", removed: "removed" }

/** To the OWNER about a change by the secret key, so that the OWNER notices a stolen key. */
export const changedByKeyLetter = (project: string, deed: keyof typeof deeds, member: string): Addressed =>
  letter(
    `The members of ${inSubject(project, "a project")} were changed with the secret key`,
    `${member} was ${deeds[deed]} in the project ${inText(project)}, by somebody who has its secret key.`,
    "If that was not you, replace the keys of the project."
  )
