import type { english } from "./emailStateWords.ts"

const german: typeof english = {
  names: {
    SCHEDULED: "Geplant",
    PENDING: "Ausstehend",
    SENDING: "Wird gesendet",
    SENT: "Gesendet",
    DELIVERED: "Zugestellt",
    OPENED: "Geöffnet",
    CLICKED: "Geklickt",
    BOUNCED: "Unzustellbar",
    COMPLAINED: "Beschwerde",
    FAILED: "Fehlgeschlagen",
    AMBIGUOUS: "Ungewiss",
    SUPPRESSED: "Gesperrt",
    CANCELLED: "Abgebrochen"
  },
  meanings: {
    SCHEDULED: "Die E-Mail wartet auf ihren Zeitpunkt.",
    PENDING: "Die E-Mail wartet auf den Versand.",
    SENDING: "Die E-Mail wird gerade übergeben.",
    SENT: "Der nächste Server hat die E-Mail angenommen.",
    DELIVERED: "Der Server des Empfängers hat die E-Mail angenommen.",
    OPENED: "Die E-Mail wurde geöffnet.",
    CLICKED: "Ein Link der E-Mail wurde angeklickt.",
    BOUNCED: "Der Server des Empfängers hat die E-Mail endgültig zurückgewiesen.",
    COMPLAINED: "Der Empfänger hat die E-Mail als Spam gemeldet.",
    FAILED: "Der Versand wurde aufgegeben.",
    AMBIGUOUS: "Die Verbindung brach ab, nachdem der Inhalt gesendet war. Ob die E-Mail ankam, ist ungewiss.",
    SUPPRESSED: "Die Adresse steht auf der Sperrliste und erhält keine E-Mails.",
    CANCELLED: "Der Versand wurde vorher abgebrochen."
  }
}

export default german
