import { plural } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"
import type { english } from "./mergeWords.ts"

const some = (count: number, one: string, other: string) =>
  plural(count, { one: `1 ${one}`, other: `${numberText(count)} ${other}` })

const german: typeof english = {
  title: "Mit anderem Kontakt zusammenführen",
  about: (email) =>
    `${email} bleibt, mit Adresse und ID. Der andere Kontakt verschwindet, und was er hat, kommt hierher.`,
  by: "Suchen nach",
  bys: { email: "Adresse", externalId: "Ihrer ID" },
  email: "Adresse des Kontakts, der verschwindet",
  externalId: "Ihre ID des Kontakts, der verschwindet",
  find: "Zeigen, was übernommen wird",
  nobody: "Diesen Kontakt gibt es nicht.",
  itself: "Das ist der Kontakt selbst. Nennen Sie einen anderen.",
  goes: "Verschwindet",
  stays: "Bleibt",
  moves: "Kommt hierher",
  events: (count) => some(count, "Ereignis", "Ereignisse"),
  emails: (count) => some(count, "E-Mail", "E-Mails"),
  executions: (count) => some(count, "Ausführung eines Workflows", "Ausführungen von Workflows"),
  memberships: (count) => some(count, "statisches Segment, dem er beitritt", "statische Segmente, denen er beitritt"),
  rules:
    "Vorhandene Daten des Kontakts bleiben; was ihm fehlt, kommt vom anderen. Von zwei Abonnements gilt das strengere. Das lässt sich nicht rückgängig machen.",
  becomesUnsubscribed: "Der andere Kontakt ist abgemeldet, deshalb wird es auch dieser sein.",
  type: (email) => `Geben Sie zur Bestätigung ${email} ein`,
  wrong: (email) => `Das ist nicht ${email}.`,
  merge: "Zusammenführen",
  cancel: "Abbrechen",
  merged: (email) => `${email} ist mit diesem Kontakt zusammengeführt.`,
  mergedInto: "Dieser Kontakt wurde mit einem anderen zusammengeführt.",
  openOther: "Öffnen"
}

export default german
