import { wordsOf } from "../../app/Words.ts"

export const english = {
  title: "Dev mailbox",
  search: "Address or subject",
  about: "Every mail that this server sends is caught here. Nothing leaves this machine.",
  subject: "Subject",
  to: "To",
  from: "From",
  at: "Arrived",
  record: "Open its record",
  raw: "Download .eml",
  classic: "Open in the plain mailbox",
  empty: "Empty the mailbox",
  emptied: "The mailbox is empty.",
  emptyAbout: "All caught mails are deleted. Their records in the project stay.",
  clock: "Clock",
  advance: { "1 hour": "+1 hour", "1 day": "+1 day", "3 days": "+3 days" },
  moved: (time: string) => `The clock of the service stands at ${time}.`,
  noSubject: "(no subject)",
  text: "Text",
  outcomes: "Mail to these addresses meets what their names say:"
}

export const mailboxWords = wordsOf(english, { de: () => import("./words.de.ts") })
