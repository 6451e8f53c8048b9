import { PosthornError } from "@posthorn/client/session"
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router"
import { Button } from "../kit/Button.tsx"
import { Empty, Problem } from "../kit/Layout.tsx"
import { wordsOf } from "./Words.ts"

const words = wordsOf({
  title: "This page could not be shown",
  newer: "The console was updated. Load the page again.",
  reload: "Load again",
  missing: "There is no such page",
  missingAbout: "The address leads to nothing: it was deleted, or it is not in this project.",
  home: "Go to the overview"
})

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
  const { title, newer, reload } = words()
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
  const { missing, missingAbout, home } = words()
  return (
    <div style={{ padding: 24 }}>
      <h1>{missing}</h1>
      <Empty about={missingAbout} action={<Link to="/">{home}</Link>} />
    </div>
  )
}
