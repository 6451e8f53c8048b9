import type { Email } from "@posthorn/client/session"
import { wordsOf } from "../app/Words.ts"

export const english = {
  names: {
    SCHEDULED: "Scheduled",
    PENDING: "Pending",
    SENDING: "Sending",
    SENT: "Sent",
    DELIVERED: "Delivered",
    OPENED: "Opened",
    CLICKED: "Clicked",
    BOUNCED: "Bounced",
    COMPLAINED: "Complained",
    FAILED: "Failed",
    AMBIGUOUS: "Ambiguous",
    SUPPRESSED: "Suppressed",
    CANCELLED: "Cancelled"
  } satisfies { readonly [S in Email["status"]]: string },
  meanings: {
    SCHEDULED: "It waits for its time.",
    PENDING: "It waits to be sent.",
    SENDING: "It is being handed over.",
    SENT: "The next server accepted it.",
    DELIVERED: "The server of the recipient accepted it.",
    OPENED: "It was opened.",
    CLICKED: "A link in it was clicked.",
    BOUNCED: "The server of the recipient returned it for good.",
    COMPLAINED: "The recipient reported it as spam.",
    FAILED: "It was given up.",
    AMBIGUOUS: "The connection broke after the content was sent, so its delivery is uncertain.",
    SUPPRESSED: "The address is on the suppression list and gets no mail.",
    CANCELLED: "It was stopped before it was sent."
  } satisfies { readonly [S in Email["status"]]: string }
}

export const emailStateWords = wordsOf(english, { de: () => import("./emailStateWords.de.ts") })
