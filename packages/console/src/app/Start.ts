/** The first calls: what the server offers, who is signed in, and which projects they have. */
import type { Deployment as Offer, Project, User } from "@posthorn/client/session"
import { useQuery } from "@tanstack/react-query"
import { redirect } from "@tanstack/react-router"
import { accountApi, apiUrl, holdReads } from "./Api.ts"
import { setClock } from "./Clock.ts"
import { deployment } from "./Deployment.ts"
import type { Opened } from "./Project.tsx"
import { queryClient } from "./Queries.ts"
import { armSignIn } from "./SignedOut.ts"

export interface Signed {
  readonly user: User
  readonly projects: ReadonlyArray<Project>
}

export const offerQuery = {
  queryKey: ["config"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: (): Promise<Offer> => accountApi.service.config().orThrow()
}

const signedQuery = {
  queryKey: ["signed"],
  staleTime: 60_000,
  queryFn: async (): Promise<Signed> => {
    const [user, projects, health] = await Promise.all([
      accountApi.users.me().orThrow(),
      accountApi.users.projects().orThrow(),
      accountApi.service.health().orThrow()
    ])
    setClock(health.time)
    return { user, projects }
  }
}

/** A cookie that scripts can read says that there may be a session. Without it, nothing is asked. */
const mayBeSignedIn = () => deployment.mode === "embedded" || /(?:^|; )posthorn_signed_in=1/.test(document.cookie)

/** The URL at which keys open the API. The API of a mounted console takes none. */
export const useKeyUrl = (): string => {
  const { data } = useQuery(offerQuery)
  return (deployment.mode === "embedded" ? data?.urls.api : undefined) ?? apiUrl("")
}

/** The person, or the way to the sign-in page. */
export const signedIn = async (from: string): Promise<Signed> => {
  const toSignIn = redirect({ to: "/sign-in", search: { to: from }, replace: true })
  armSignIn(false)
  try {
    await queryClient.ensureQueryData(offerQuery)
    if (!mayBeSignedIn()) throw toSignIn
    const signed = await queryClient.ensureQueryData(signedQuery)
    armSignIn(true)
    return signed
  } catch (error) {
    if (error instanceof Error && "statusCode" in error && error.statusCode === 401) {
      if (deployment.signInUrl !== undefined) location.assign(deployment.signInUrl)
      throw toSignIn
    }
    throw error
  }
}

/** Reads person and projects again, after either changed. */
export const readSigned = async (): Promise<Signed> => {
  await queryClient.invalidateQueries({ queryKey: signedQuery.queryKey })
  return await queryClient.fetchQuery({ ...signedQuery, staleTime: 0 })
}

export const openProject = async (projectId: string, from: string): Promise<Opened | null> => {
  const { user, projects } = await signedIn(from)
  const project = projects.find(({ id }) => id === projectId)
  if (project === undefined) return null
  localStorage.setItem("posthorn.project", project.id)
  return { user, projects, project }
}

const storages = () => [localStorage, sessionStorage]

/** Signs out, here or everywhere, and leaves nothing behind in the browser. Other tabs follow. */
export const signOut = async (everywhere = false): Promise<void> => {
  // Reads would be refused from now on.
  holdReads()
  await queryClient.cancelQueries()
  if (everywhere) await accountApi.session.logoutAll()
  await accountApi.auth.logout()
  for (const storage of storages()) storage.clear()
  new BroadcastChannel("posthorn").postMessage("signed-out")
  location.assign(deployment.signInUrl ?? `${deployment.basePath}/sign-in`)
}

/** Other tabs that sign out take this one with them. */
export const followSignOut = (): void => {
  new BroadcastChannel("posthorn").addEventListener("message", ({ data }) => {
    if (data === "signed-out") location.assign(deployment.signInUrl ?? `${deployment.basePath}/sign-in`)
  })
}
