import { wordsOf } from "../../app/Words.ts"

export const english = {
  title: "Privacy requests",
  about:
    "Recipients ask on their preference page for a copy of their data, or to be deleted. The settings of the audience say what they can ask for.",
  settings: "Settings of the audience",
  person: "Person",
  erased: "(erased)",
  type: "Request",
  types: { EXPORT: "A copy of the data", ERASURE: "Deletion" },
  anyType: "Any request",
  state: "State",
  states: {
    UNCONFIRMED: "Unconfirmed",
    OPEN: "Open",
    DONE: "Done",
    REFUSED: "Refused",
    EXPIRED: "Expired"
  },
  meanings: {
    UNCONFIRMED: "The person got a mail and has not opened its link.",
    OPEN: "The person has confirmed it. It waits for you.",
    DONE: "The person has the data, or is erased.",
    REFUSED: "The person got the reason.",
    EXPIRED: "Nobody confirmed it within 24 hours."
  },
  anyState: "Any state",
  requested: "Asked",
  confirmed: "Confirmed",
  due: "Due",
  ended: "Ended",
  note: "Reason of the refusal",
  id: "Id",
  open: (person: string) => `Details of ${person}`,
  details: "Details",
  contact: "Contact",
  erase: "Erase",
  eraseAbout: (person: string) =>
    `Everything about ${person} is deleted: the contact, its events, and its name in mails and statistics. This cannot be undone.`,
  erasedNow: "The person is erased.",
  refuse: "Refuse",
  refuseAbout: "The reason goes to the person by mail, as plain text.",
  reason: "Reason",
  reasonHelp: "At most 500 characters.",
  refusedNow: "The person gets the reason by mail."
}

export const privacyWords = wordsOf(english, { de: () => import("./words.de.ts") })
