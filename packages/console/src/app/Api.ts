/** The clients: one for the person, one for each project. Every request of the console goes through them. */
import { PosthornSession } from "@posthorn/client/session"
import { deployment } from "./Deployment.ts"
import { requestSignIn } from "./SignedOut.ts"

export type Api = PosthornSession

export const apiBase: string = new URL(deployment.apiBase || "/", location.origin).href

/** Headers of every request. */
export const apiHeaders: Record<string, string> = deployment.mode === "embedded" ? { "x-posthorn-console": "1" } : {}

/** Answers that mean "not signed in" where being signed out is what was asked about. */
const isAboutSession = (url: string) => /\/(?:auth|oauth)\//.test(url)

let areReadsHeld = false

/** No read reaches the service any more: the page is left. */
export const holdReads = (): void => {
  areReadsHeld = true
}

/** After the session ended, the page waits for a new one and repeats the request. */
const fetchSignedIn = async (url: string, init: RequestInit): Promise<Response> => {
  if (areReadsHeld && init.method === "GET" && !isAboutSession(url)) return new Promise(() => {})
  const response = await fetch(url, init)
  if (response.status !== 401 || isAboutSession(url)) return response
  return (await requestSignIn()) ? await fetch(url, init) : response
}

/** Calls that belong to no project. */
export const accountApi: Api = new PosthornSession({
  baseUrl: apiBase,
  headers: apiHeaders,
  fetch: fetchSignedIn,
  retries: 0
})

const clients = new Map<string, Api>()

export const apiOf = (projectId: string): Api => {
  const known = clients.get(projectId)
  if (known !== undefined) return known
  const made = new PosthornSession({
    baseUrl: apiBase,
    projectId,
    headers: apiHeaders,
    fetch: fetchSignedIn,
    retries: 0
  })
  clients.set(projectId, made)
  return made
}

/** A path of the API as a URL, for links and for what the client has no method for. */
export const apiUrl = (path: string): string => apiBase.replace(/\/$/, "") + path
