/** The mails that a new template can start from. Each is MJML that is edited like any other. */
export const startIds = ["blank", "letter", "welcome", "receipt", "password", "newsletter", "announcement"] as const
export type StartId = (typeof startIds)[number]

export const typeOfStart: { readonly [id in StartId]: "TRANSACTIONAL" | "MARKETING" } = {
  blank: "TRANSACTIONAL",
  letter: "TRANSACTIONAL",
  welcome: "TRANSACTIONAL",
  receipt: "TRANSACTIONAL",
  password: "TRANSACTIONAL",
  newsletter: "MARKETING",
  announcement: "MARKETING"
}

const sources = import.meta.glob<string>("./starts/*.mjml", { query: "?raw", import: "default" })

export const sourceOfStart = async (id: StartId): Promise<string> => (await sources[`./starts/${id}.mjml`]?.()) ?? ""
