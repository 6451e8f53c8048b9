import { PosthornError } from "@posthorn/client/session"
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router"
import { Button } from "../kit/Button.tsx"
import { Empty, Problem } from "../kit/Layout.tsx"
import { Page } from "./Page.tsx"
import { useOpenedOrNull } from "./Project.tsx"
import { shellWords } from "./shellWords.ts"

/** Chunks of a version that is no longer there: the page is loaded again, once. */
const reloadOnce = (error: unknown) => {
  if (
    !(error instanceof Error) ||
    !/dynamically imported module|Importing a module script|module script failed/i.test(error.message)
  )
    return
  const last = Number(sessionStorage.getItem("posthorn.reloaded"))
  if (Date.now() - last < 10_000) return
  sessionStorage.setItem("posthorn.reloaded", String(Date.now()))
  location.reload()
}

export const ErrorPage = ({ error }: ErrorComponentProps) => {
  const { title, newer, reload } = shellWords().faults
  const router = useRouter()
  reloadOnce(error)
  return (
    <main style={{ padding: 24 }}>
      <h1>{title}</h1>
      {error instanceof PosthornError ? (
        <Problem error={error} onRetry={() => void router.invalidate()} />
      ) : (
        <Empty about={newer} action={<Button onPress={() => location.reload()}>{reload}</Button>}>
          <code>{String(error)}</code>
        </Empty>
      )}
    </main>
  )
}

export const NotFoundPage = () => {
  const { missing, missingAbout, home } = shellWords().faults
  const isInProject = useOpenedOrNull() !== null
  const page = (
    <Page title={missing}>
      <Empty about={missingAbout} action={<Link to="/">{home}</Link>} />
    </Page>
  )
  // In a project the frame has the main landmark and its margins.
  return isInProject ? page : <main style={{ padding: 24 }}>{page}</main>
}
