import { wordsOf } from "../../app/Words.ts"

export const english = {
  topics: "Topics",
  noTopics: "The project has no topic yet.",
  takes: "The contact takes this mail now.",
  takesNot: "The contact does not take this mail now.",
  unset: (fallback: string) => `Said nothing (${fallback})`,
  defaults: { subscribed: "takes it", unsubscribed: "does not take it" },
  states: { subscribed: "Said yes", unsubscribed: "Said no", pending: "Was asked to confirm" },
  saved: "Saved.",
  pause: "Pause",
  noPause: "Marketing mail is not paused.",
  pausedUntil: "Marketing mail is paused until",
  pauseFor: (days: number) => `Pause for ${days} days`,
  endPause: "End the pause",
  optIns: "Confirmation by mail",
  neverAsked: "The contact was never asked to confirm.",
  ask: "Ask to confirm",
  askAgain: "Ask again",
  asked: "The contact is asked by mail.",
  cancel: "Cancel the request",
  cancelled: "The request is cancelled.",
  askedAt: "Asked",
  state: "State",
  optInStates: {
    PENDING: "Waits for an answer",
    CONFIRMED: "Confirmed",
    DECLINED: "Declined",
    EXPIRED: "Expired",
    CANCELLED: "Cancelled"
  },
  what: "For",
  marketing: "Marketing mail",
  mails: "Mails",
  ends: "Ends"
}

export const preferenceWords = wordsOf(english, { de: () => import("./preferenceWords.de.ts") })
