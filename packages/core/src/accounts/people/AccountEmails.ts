/** Emails to people about their accounts and projects. Plain text. */
import type { MemberRole } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import type { SecretBox } from "../../platform/SecretBox.ts"
import { Settings } from "../../platform/Settings.ts"
import { inSubject, inText } from "../systemmail/Names.ts"
import { sealLink } from "../systemmail/SealedLinks.ts"
import { type SystemEmail, systemEmail, type UnaddressedEmail } from "../systemmail/SystemMail.ts"

/** The email with a link to an account page. The link is sealed, so only its recipient sees it. */
export const withLink = (
  { to, ...email }: SystemEmail,
  page: "invitation" | "reset-password" | "verify-email",
  token: string
): Effect.Effect<SystemEmail, never, SecretBox> =>
  Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    return { to, ...email, link: yield* sealLink(to, `${publicUrl}/account/${page}?token=${token}`) }
  })

export const verificationEmail: UnaddressedEmail = systemEmail(
  "Confirm your email address",
  "Open the link below and enter your password to confirm the address of your account. The link works once, for 24 hours.",
  "If you did not sign up, someone else used your address. The page behind the link shows when and from which network, and lets you delete the account."
)

export const resetEmail: UnaddressedEmail = systemEmail(
  "Set a new password",
  "Open the link below to set a new password. The link works once, for one hour. A new password ends every session of the account.",
  "If you did not ask for this, do nothing: your password stays the same."
)

const notYou = "If this was not you, set a new password at once and check the sessions of your account."

export const twoFactorsOnEmail: UnaddressedEmail = systemEmail(
  "Two-factor authentication is on",
  "Each login to your account now needs a second factor. All other sessions have ended.",
  "Keep the recovery codes where you can find them without your authenticator app.",
  notYou
)

export const twoFactorsOffEmail: UnaddressedEmail = systemEmail(
  "Two-factor authentication is off",
  "Logins to your account need only the password again.",
  notYou
)

export const recoveryCodeEmail = (left: number): UnaddressedEmail =>
  systemEmail(
    "A recovery code was used",
    `One of the recovery codes of your account was used. Codes left: ${left}.`,
    "To get new codes, turn two-factor authentication off and on again.",
    notYou
  )

export const passkeyAddedEmail = (name: string): UnaddressedEmail =>
  systemEmail(
    "A passkey was added",
    `The passkey "${name}" was added to your account. It can log in to the account.`,
    notYou
  )

export const passkeyRemovedEmail = (name: string): UnaddressedEmail =>
  systemEmail("A passkey was removed", `The passkey "${name}" was removed from your account.`, notYou)

export const invitationEmail = (project: string, role: MemberRole): UnaddressedEmail =>
  systemEmail(
    `You are invited to ${inSubject(project, "a project")}`,
    `You are invited to the project ${inText(project)} with the role ${role}. The link works for 7 days, only for this address.`,
    "If you do nothing, you do not become a member."
  )

export const ownershipEmail = (project: string): UnaddressedEmail =>
  systemEmail(
    `You are offered ${inSubject(`the project ${project}`, "a project")}`,
    `The owner of the project ${inText(project)} wants to transfer it to you. If you accept, you become the owner and the current owner becomes an administrator. The link works for 7 days, only for this address.`,
    "If you do nothing, nothing changes."
  )

export const handedOverEmail = (project: string, owner: string): UnaddressedEmail =>
  systemEmail(
    `${inSubject(`The project ${project}`, "A project of yours")} has a new owner`,
    `${owner} has accepted the project ${inText(project)} and is its owner now. You are an administrator of it.`
  )

export const keysReplacedEmail = (project: string): UnaddressedEmail =>
  systemEmail(
    `The keys of ${inSubject(project, "a project")} were replaced`,
    `Both keys of the project ${inText(project)} were replaced. The old keys no longer work.`
  )

const changes = { invited: "was invited to", changed: "got another role in", removed: "was removed from" }

/** To the OWNER, who may notice a stolen key by it. */
export const changedByKeyEmail = (project: string, change: keyof typeof changes, member: string): UnaddressedEmail =>
  systemEmail(
    `The members of ${inSubject(project, "a project")} were changed with the secret key`,
    `${member} ${changes[change]} the project ${inText(project)}. The change was made with the secret key.`,
    "If you did not expect this, replace the keys of the project."
  )
