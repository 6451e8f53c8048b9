import { wordsOf } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"

export const english = {
  warmup: "Warm-up",
  about: "A new domain sends a few mails a day at first, and more each day. Bulk mail above the cap of the day waits.",
  begin: "Warm up this domain",
  change: "Change",
  title: "Warm up this domain",
  preset: "Plan",
  presets: {
    STANDARD: "Standard: 50 mails on the first day, 140,000 on the 17th",
    FAST: "Fast: 200 mails on the first day, 220,000 on the 13th",
    CUSTOM: "Caps of your own"
  },
  caps: "Cap of each day",
  capsHelp: "Separated by commas: 50, 100, 200.",
  startsOn: "First day",
  today: "Empty: today.",
  save: "Save",
  saved: "The domain is warmed up.",
  state: "State",
  states: { ACTIVE: "Active", PAUSED: "Paused", COMPLETED: "Completed" },
  transport: "Transport",
  step: "Step",
  sentToday: "Sent today",
  ofCap: (sent: number, cap: number | null) =>
    cap === null ? numberText(sent) : `${numberText(sent)} of ${numberText(cap)}`,
  freeNow: "Free now",
  waiting: "Waiting",
  completesOn: "Last step",
  pause: "Pause warm-up",
  paused: "Bulk mail of the domain waits.",
  pausedAbout: "Bulk mail of the domain waits until you resume. The same step begins on the next day.",
  resume: "Resume warm-up",
  resumed: "The warm-up goes on the next day.",
  end: "End warm-up",
  endAbout: "The plan and its days are deleted. The mail that waits is sent at once.",
  ended: "The warm-up has ended.",
  curve: "How much left each day?",
  cap: "Cap",
  sent: "Sent",
  days: "Days of the warm-up",
  day: "Day",
  bounced: "Bounced",
  complained: "Complained",
  deferred: "Deferred",
  result: "Result",
  results: {
    clean: "Clean",
    held: "Repeated: too much came back",
    unused: "Repeated: little was sent",
    paused: "Paused"
  }
}

export const warmupWords = wordsOf(english, { de: () => import("./warmupWords.de.ts") })
