import { plural } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"
import type { english } from "./deliveryWords.ts"

const german: typeof english = {
  pace: "Ablauf des Versands",
  paces: {
    ONCE: "Alle ab Beginn",
    SEND_NOW: "Zur Ortszeit; wo sie vorbei ist, sofort",
    NEXT_DAY: "Zur Ortszeit; wo sie vorbei ist, am nächsten Tag",
    SPREAD: "Über Stunden verteilt"
  },
  hours: "Stunden",
  inHours: (hours) => plural(hours, { one: "Über 1 Stunde", other: `Über ${numberText(hours)} Stunden` }),
  rate: "E-Mails pro Minute",
  rateHelp: "Höchstens. Leer: keine Grenze.",
  inMinute: (rate) => `Höchstens ${numberText(rate)} E-Mails pro Minute`,
  expires: "Läuft ab",
  expiresHelp: "Was bis dahin nicht versucht wurde, wird nicht gesendet.",
  priority: "Priorität",
  priorities: { "1": "1, die geringste", "2": "2", "3": "3, die übliche", "4": "4", "5": "5, die höchste" },
  localNeedsTime: "Wählen Sie eine Zeit: Die E-Mails gehen zu dieser Zeit bei jedem Kontakt ab.",
  localLeave: (time) => `Jeder Kontakt erhält die E-Mail um ${time} seiner Zeitzone.`,
  starts: "Beginnt",
  madeBy: "Erstellt von",

  recurrence: "Wiederholung",
  recurs: "Zeitplan",
  cronHelp:
    "Minute, Stunde, Tag, Monat und Wochentag: 0 9 * * MON ist montags um 9:00. Mindestens eine Stunde Abstand.",
  timezone: "Zeitzone",
  ends: "Endet",
  never: "Leer: nie.",
  most: "Höchstens so oft",
  enabled: "Nach diesem Zeitplan senden",
  runs: "Bisher gesendet",
  next: "Nächstes Mal",
  noNext: "Keines",
  setRecurrence: "Regelmäßig senden",
  changeRecurrence: "Ändern",
  recurrenceTitle: "Diesen Entwurf regelmäßig senden",
  recurrenceAbout:
    "Jedes Mal geht eine Kopie des Entwurfs an seine Empfänger zu diesem Zeitpunkt. Der Entwurf bleibt ein Entwurf.",
  save: "Speichern",
  recurrenceSet: "Der Entwurf wird nach seinem Zeitplan gesendet.",
  endRecurrence: "Beenden",
  endAbout: "Nach dem Zeitplan wird nichts mehr gesendet. Kampagnen, die er erstellt hat, laufen weiter.",
  recurrenceEnded: "Die Wiederholung ist beendet.",
  made: "Daraus erstellte Kampagnen"
}

export default german
