/** The mails about requests of recipients about their data: to the person, and to the members of the project. Pure. */
import type { PrivacyRequestType } from "@posthorn/contract/audience/privacy/PrivacyRequest"
import { DateTime } from "effect"
import { inSubject, inText } from "../../accounts/systemmail/Names.ts"
import {
  type ProjectSender,
  type SystemEmail,
  systemEmail,
  type UnaddressedEmail
} from "../../accounts/systemmail/SystemMail.ts"
import type { Language } from "../../platform/web/Languages.ts"
import { privacyWords } from "./PrivacyWords.ts"

/** Who gets a mail from whom, in which language. `project` is the name that recipients read. */
export interface Correspondence {
  readonly to: string
  readonly sender: ProjectSender
  readonly project: string
  readonly language: Language
}

/** Used in subjects in place of a name that a mail program would show as a link. */
const nameless = "Posthorn"

/** Asks the person to confirm. The sealed link stands below the text. */
export const confirmationMail = (
  { to, sender, project, language }: Correspondence,
  type: PrivacyRequestType,
  link: string
): SystemEmail => {
  const { mail } = privacyWords[language]
  const { subject, text } = mail[type]
  return {
    ...systemEmail(subject(inSubject(project, nameless)), text(inText(project)), mail.ignore)(to),
    link,
    sender
  }
}

/** Says why the project does not do what was asked. */
export const refusalMail = ({ to, sender, project, language }: Correspondence, note: string): SystemEmail => {
  const { subject, text } = privacyWords[language].refusal
  return { ...systemEmail(subject(inSubject(project, nameless)), text(inText(project)), note)(to), sender }
}

const inConsole =
  "Privacy requests in the console, and GET /privacy-requests, show who asked. There you erase the person, or refuse and say why."

/** To the members, when an erasure waits for them. */
export const openMail = (project: string, due: DateTime.Utc): UnaddressedEmail =>
  systemEmail(
    `A recipient of ${inSubject(project, "a project")} wants their data deleted`,
    `A recipient of the project ${inText(project)} has asked to be erased, and has confirmed it by mail. The request is due on ${DateTime.formatIsoDateUtc(due)}.`,
    inConsole
  )

/** To the members, a week before it is due. */
export const dueMail = (project: string, due: DateTime.Utc): UnaddressedEmail =>
  systemEmail(
    `A request for erasure of ${inSubject(project, "a project")} is due in a week`,
    `A recipient of the project ${inText(project)} has asked to be erased. The request still waits, and is due on ${DateTime.formatIsoDateUtc(due)}.`,
    inConsole
  )
