/** Serves the API, the links in emails and the mailbox of development. */
import { mail } from "./mail.ts"

const answer = async (request: Request): Promise<Response> => (await mail()).posthorn.fetch(request)

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT }
