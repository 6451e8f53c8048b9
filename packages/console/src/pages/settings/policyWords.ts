import { wordsOf } from "../../app/Words.ts"

export const english = {
  save: "Save the sending policy",
  saved: "Saved.",
  quietHours: "Quiet hours",
  quietAbout:
    "No marketing mail of a campaign or workflow begins in these hours. Transactional mail and single sends never wait.",
  hasQuietHours: "There are quiet hours",
  from: "From",
  to: "To",
  days: "Days on which they begin",
  zone: "Time zone",
  zones: { CONTACT: "Of the contact", PROJECT: "Of the project" },
  quietAction: "Mail in these hours",
  actions: { WAIT: "Waits", SKIP: "Is not sent" },
  caps: "Frequency caps",
  capsAbout:
    "The most marketing mail that a contact gets in a span of time. Single sends count, and are never held. Mail counts from when the first cap is set.",
  cap: (number: number) => `Cap ${number}`,
  limit: "Mails",
  amount: "In each",
  unit: "Unit",
  units: { hours: "Hours", days: "Days" },
  allMail: "All mail",
  addCap: "Add a cap",
  removeCap: (number: number) => `Remove cap ${number}`,
  campaigns: "Campaigns above a cap",
  workflows: "Workflows above a cap",
  maxWait: "Wait at most, in hours"
}

export const policyWords = wordsOf(english, { de: () => import("./policyWords.de.ts") })
