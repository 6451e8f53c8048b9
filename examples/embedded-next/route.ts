/** Serves the API, the links in emails and the mailbox of development. */
import { posthorn } from "./posthorn.ts"

const answer = async (request: Request): Promise<Response> => (await posthorn()).fetch(request)

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT }
