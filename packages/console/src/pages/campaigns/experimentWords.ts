import { wordsOf } from "../../app/Words.ts"

export const english = {
  title: "Experiment",
  try: "Try variants on a part of the audience first",
  testShare: "Percent of the audience that tries them",
  testShareHelp: "5 to 100. The rest gets the best variant.",
  metric: "Best by",
  metrics: {
    HUMAN_CLICK: "Clicks of people",
    HUMAN_OPEN: "Opens of people",
    GOAL: "The goal of the campaign"
  },
  waitHours: "Hours until the decision",
  confidence: "Confidence",
  winner: "Winner",
  winners: { AUTOMATIC: "Is sent by itself", MANUAL: "Is chosen by a person" },
  fallback: "Without a clear winner",
  fallbacks: {
    BEST: "The rest gets the variant with the highest rate",
    CONTROL: "The rest gets variant A",
    NONE: "A person chooses"
  },
  goal: "Goal",
  goalTry: "Count an event as the goal of the campaign",
  goalAbout: "Events count for one mail only: the one that was sent, opened or clicked last before them.",
  eventName: "Event",
  windowHours: "Hours in which it counts",
  attribution: "After the mail was",
  attributions: { SENT: "Sent", OPENED: "Opened by a person", CLICKED: "Clicked by a person" },
  revenuePath: "Path of the revenue in its data",
  revenuePathHelp: "Such as order.total. Empty: no revenue.",
  currency: "Currency",
  revenue: "Revenue",
  conversionEvents: "Events",
  converted: "Recipients",
  holdoutTry: "Hold a part of the audience out, to see what the campaign brings",
  holdoutShare: "Percent of the audience without mail",
  holdoutShareHelp: "1 to 50.",
  holdoutAbout: "Other campaigns and workflows may still reach those who are held out.",
  uplift: "Uplift",
  treated: "Audience",
  heldOut: "Held out",
  didIt: (rate: string, contacts: string) => `${rate} of ${contacts} reached the goal`,
  difference: "Difference",
  points: (difference: string, low: string, high: string) => `${difference} percentage points (${low} to ${high})`,
  upliftUnclear: "Not enough to tell whether the campaign brings anything.",
  upliftUp: "The campaign brings more than chance would.",
  upliftDown: "Those who were held out reached the goal more often, by more than chance.",
  upliftAbout:
    "Both groups are compared from the start of sending until the goal ends, whether mail arrived or not. Other campaigns and workflows may have reached those who were held out.",

  variant: (key: string) => `Variant ${key}`,
  variantA: "Variant A is the campaign itself. Empty fields of the others are as in A.",
  subject: "Subject",
  preheader: "Preheader",
  fromName: "Sender's name",
  body: "Body as HTML",
  addVariant: "Add a variant",
  removeVariant: (key: string) => `Remove variant ${key}`,

  decides: "Decided",
  atTime: (time: string) => `At ${time} at the earliest, when 90 % of the test has left.`,
  early: "Not decided yet. Early figures decide nothing.",
  waiting: "Choose the variant for the rest. Without a choice within 7 days, the rest gets no mail.",
  unclear: "Not enough to tell which variant is better.",
  clear: (key: string) => `Variant ${key} is better by more than chance.`,
  won: (key: string) => `The rest gets variant ${key}.`,
  abandoned: "Nobody chose. The rest gets no mail.",
  cancelled: "The campaign was cancelled before the decision.",
  by: { AUTOMATIC: "By its figures", USER: "By a member", KEY: "With a key" },
  nothingSent: "Nothing sent yet",
  figures: (rate: string, low: string, high: string, successes: string, sent: string) =>
    `${rate} (${low} to ${high}), ${successes} of ${sent}`,
  take: (key: string) => `Choose ${key}`,
  detectable: (points: string) => `With this much mail, a difference of ${points} percentage points shows.`
}

export const experimentWords = wordsOf(english, { de: () => import("./experimentWords.de.ts") })
