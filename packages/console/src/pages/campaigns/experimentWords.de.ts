import type { english } from "./experimentWords.ts"

const german: typeof english = {
  title: "Experiment",
  try: "Varianten zuerst an einem Teil der Zielgruppe versuchen",
  testShare: "Prozent der Zielgruppe, die sie versuchen",
  testShareHelp: "5 bis 100. Der Rest bekommt die beste Variante.",
  metric: "Am besten nach",
  metrics: {
    HUMAN_CLICK: "Klicks von Menschen",
    HUMAN_OPEN: "Öffnungen durch Menschen",
    GOAL: "Ziel der Kampagne"
  },
  waitHours: "Stunden bis zur Entscheidung",
  confidence: "Konfidenz",
  winner: "Gewinner",
  winners: { AUTOMATIC: "Wird von selbst gesendet", MANUAL: "Wird von einem Menschen gewählt" },
  fallback: "Ohne klaren Gewinner",
  fallbacks: {
    BEST: "Der Rest bekommt die Variante mit der höchsten Quote",
    CONTROL: "Der Rest bekommt Variante A",
    NONE: "Ein Mensch wählt"
  },
  goal: "Ziel",
  goalTry: "Ein Ereignis als Ziel der Kampagne zählen",
  goalAbout: "Ereignisse zählen nur für eine E-Mail: die zuletzt davor gesendete, geöffnete oder geklickte.",
  eventName: "Ereignis",
  windowHours: "Stunden, in denen es zählt",
  attribution: "Nachdem die E-Mail",
  attributions: {
    SENT: "gesendet wurde",
    OPENED: "von einem Menschen geöffnet wurde",
    CLICKED: "von einem Menschen geklickt wurde"
  },
  revenuePath: "Pfad des Umsatzes in seinen Daten",
  revenuePathHelp: "Etwa order.total. Leer: kein Umsatz.",
  currency: "Währung",
  revenue: "Umsatz",
  conversionEvents: "Ereignisse",
  converted: "Empfänger",
  holdoutTry: "Einen Teil der Zielgruppe auslassen, um zu sehen, was die Kampagne bringt",
  holdoutShare: "Prozent der Zielgruppe ohne E-Mail",
  holdoutShareHelp: "1 bis 50.",
  holdoutAbout: "Andere Kampagnen und Workflows können die Ausgelassenen trotzdem erreichen.",
  uplift: "Zuwachs",
  treated: "Zielgruppe",
  heldOut: "Ausgelassen",
  didIt: (rate, contacts) => `${rate} von ${contacts} haben das Ziel erreicht`,
  difference: "Unterschied",
  points: (difference, low, high) => `${difference} Prozentpunkte (${low} bis ${high})`,
  upliftUnclear: "Zu wenig, um zu sagen, ob die Kampagne etwas bringt.",
  upliftUp: "Die Kampagne bringt mehr, als der Zufall ergäbe.",
  upliftDown: "Die Ausgelassenen haben das Ziel öfter erreicht, mehr als zufällig.",
  upliftAbout:
    "Beide Gruppen werden vom Beginn des Versands bis zum Ende des Ziels verglichen, ob E-Mails ankamen oder nicht. Andere Kampagnen und Workflows können die Ausgelassenen erreicht haben.",

  variant: (key) => `Variante ${key}`,
  variantA: "Variante A ist die Kampagne selbst. Leere Felder der anderen sind wie in A.",
  subject: "Betreff",
  preheader: "Preheader",
  fromName: "Name des Absenders",
  body: "Inhalt als HTML",
  addVariant: "Variante hinzufügen",
  removeVariant: (key) => `Variante ${key} entfernen`,

  decides: "Entschieden",
  atTime: (time) => `Frühestens ${time}, wenn 90 % des Tests verschickt sind.`,
  early: "Noch nicht entschieden. Frühe Zahlen entscheiden nichts.",
  waiting: "Wählen Sie die Variante für den Rest. Ohne Wahl innerhalb von 7 Tagen bekommt der Rest keine E-Mail.",
  unclear: "Zu wenig, um zu sagen, welche Variante besser ist.",
  clear: (key) => `Variante ${key} ist mehr als zufällig besser.`,
  won: (key) => `Der Rest bekommt Variante ${key}.`,
  abandoned: "Niemand hat gewählt. Der Rest bekommt keine E-Mail.",
  cancelled: "Die Kampagne wurde vor der Entscheidung abgebrochen.",
  by: { AUTOMATIC: "Durch die Zahlen", USER: "Durch ein Mitglied", KEY: "Mit einem Schlüssel" },
  nothingSent: "Noch nichts gesendet",
  figures: (rate, low, high, successes, sent) => `${rate} (${low} bis ${high}), ${successes} von ${sent}`,
  take: (key) => `${key} wählen`,
  detectable: (points) => `Bei so vielen E-Mails zeigt sich ein Unterschied von ${points} Prozentpunkten.`
}

export default german
