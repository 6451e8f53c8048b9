import { wordsOf } from "../../app/Words.ts"

export const english = {
  title: "Records of consent",
  about: "What the contact agreed to or withdrew, and what proves it. Nobody can change these records.",
  empty: "The contact never agreed to mail and never withdrew.",
  export: "Export records",
  what: "What",
  actions: {
    requested: "Asked to confirm",
    granted: "Agreed",
    withdrawn: "Withdrew",
    declined: "Declined",
    expired: "Did not answer",
    merged: "Merged with another contact"
  },
  scope: "For",
  marketing: "Marketing mail",
  source: "By",
  sources: {
    api: "Call of the API",
    send: "Send call",
    track: "Tracking call",
    import: "Import",
    bulk: "Change of many contacts",
    workflow: "Workflow",
    form: "Sign-up form",
    page: "Preference page",
    one_click: "One click in a mail program",
    double_opt_in: "Confirmation by mail",
    bounce: "Bounce",
    complaint: "Complaint",
    merge: "Merge"
  },
  who: "Who",
  actors: {
    recipient: "The person",
    key: "Your server",
    public_key: "The public key",
    member: "A member",
    service: "The service"
  },
  when: "When",
  recorded: "Recorded",
  address: "Address",
  wording: "Text that the person saw",
  language: "Language",
  formVersion: "Version of the form",
  basis: "Basis",
  evidence: "Evidence",
  ip: "Address of the client",
  userAgent: "Browser",
  mail: "Mail",
  campaign: "Campaign",
  form: "Form",
  open: "Open",
  optIn: "Request to confirm",
  job: "Job",
  user: "User",
  id: "Id"
}

export const consentWords = wordsOf(english, { de: () => import("./consentWords.de.ts") })
