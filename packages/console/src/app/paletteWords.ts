/** The words of what the keys open, which no page loads at first. */
import { wordsOf } from "./Words.ts"

export const english = {
  palette: "Go to",
  paletteHelp: "A page, a name, an address or an id",
  nothingFound: "Nothing has this name.",
  records: {
    contact: "Contact",
    campaign: "Campaign",
    template: "Template",
    partial: "Piece of mail",
    segment: "Segment",
    workflow: "Workflow",
    domain: "Domain",
    email: "Mail"
  },
  keys: "Keys",
  keyNames: {
    palette: "Go to a page or a record",
    search: "Search of the page",
    help: "All keys",
    close: "Close the innermost thing"
  }
}

export const paletteWords = wordsOf(english, { de: () => import("./paletteWords.de.ts") })
