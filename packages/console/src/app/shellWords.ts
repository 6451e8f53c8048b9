import { wordsOf } from "./Words.ts"

export const placeNames = {
  overview: "Overview",
  mails: "Mails",
  activity: "Activity",
  campaigns: "Campaigns",
  workflows: "Workflows",
  templates: "Templates",
  contacts: "Contacts",
  segments: "Segments",
  topics: "Topics",
  forms: "Forms",
  privacyRequests: "Privacy requests",
  events: "Events",
  domains: "Domains",
  providers: "Providers",
  suppressions: "Suppressions",
  keys: "API keys",
  webhooks: "Webhooks",
  transports: "Transports",
  mailbox: "Dev mailbox",
  settings: "Settings"
}

export const groupNames = {
  work: "Work",
  audience: "Audience",
  deliverability: "Deliverability",
  developers: "Developers",
  project: "Project"
}

export const english = {
  places: placeNames,
  groups: groupNames,
  skip: "Skip to the content",
  search: "Search",
  page: "Page",
  main: "Pages",
  projects: "Projects",
  switchProject: "Switch project",
  allProjects: "All projects",
  account: "Account",
  yourAccount: "Your account",
  signOut: "Sign out",
  more: "More",
  language: "Language",
  asBrowser: "As the browser",
  scheme: "Colours",
  schemes: { system: "As the system", light: "Light", dark: "Dark" },
  zone: "Times",
  zones: { browser: "In my zone", project: "In the project's zone", utc: "In UTC" },
  docs: "API reference",
  disabled: (reason: string) => `This project is disabled: ${reason} Reading works, writing does not.`,
  reasons: {
    PAYMENT_FAILED: "a payment failed.",
    EMAIL_REPUTATION: "too many of its mails bounced or were complained about.",
    PHISHING_DETECTED: "its mail was reported as phishing.",
    MANUAL: "the operator disabled it."
  },
  openBilling: "Open billing",
  openStanding: "See its standing",
  resetting: "The data of this project is being deleted.",
  readOnly: "Your role is MEMBER: some actions need an administrator.",
  devBand: "Development: mail goes to the mailbox.",
  openMailbox: "Open the mailbox",
  offline: "The server does not answer. What you see may be old. Reading is tried again.",
  unverified: "Your address is not confirmed.",
  sendAgain: "Send the mail again",
  sentAgain: "Sent. Open the link in the mail.",
  faults: {
    title: "This page could not be shown",
    newer: "The console was updated. Load the page again.",
    reload: "Load again",
    missing: "There is no such page",
    missingAbout: "The address leads to nothing: it was deleted, or it is not in this project.",
    home: "Go to the overview"
  }
}

export const shellWords = wordsOf(english, { de: () => import("./shellWords.de.ts") })
