import { plural, wordsOf } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"

export const english = {
  pace: "How the mails leave",
  paces: {
    ONCE: "All from the start",
    SEND_NOW: "At local time; where it has passed, at once",
    NEXT_DAY: "At local time; where it has passed, the next day",
    SPREAD: "Spread over hours"
  },
  hours: "Hours",
  inHours: (hours: number) => plural(hours, { one: "Over 1 hour", other: `Over ${numberText(hours)} hours` }),
  rate: "Mails a minute",
  rateHelp: "At most. Empty: no limit.",
  inMinute: (rate: number) => `At most ${numberText(rate)} mails a minute`,
  expires: "Expires",
  expiresHelp: "Mail that has not been tried by then is not sent.",
  priority: "Priority",
  priorities: { "1": "1, the least", "2": "2", "3": "3, as usual", "4": "4", "5": "5, the most" },
  localNeedsTime: "Choose a time: the mails leave at that time of each contact.",
  localLeave: (time: string) => `Each contact gets the mail at ${time} in its own time zone.`,
  starts: "Starts",
  madeBy: "Made by",

  recurrence: "Recurrence",
  recurs: "Schedule",
  cronHelp: "Minute, hour, day, month and weekday: 0 9 * * MON is Mondays at 9:00. At least an hour apart.",
  timezone: "Time zone",
  ends: "Ends",
  never: "Empty: never.",
  most: "Firings at most",
  enabled: "Send by this schedule",
  runs: "Firings so far",
  next: "Next",
  noNext: "None",
  setRecurrence: "Send again and again",
  changeRecurrence: "Change",
  recurrenceTitle: "Send this draft again and again",
  recurrenceAbout: "Each time, a copy of the draft is sent to its audience of that moment. The draft stays a draft.",
  save: "Save",
  recurrenceSet: "The draft is sent by its schedule.",
  endRecurrence: "End",
  endAbout: "Nothing more is sent by the schedule. Campaigns that were made by it go on.",
  recurrenceEnded: "The recurrence has ended.",
  made: "Campaigns made by it"
}

export const deliveryWords = wordsOf(english, { de: () => import("./deliveryWords.de.ts") })
