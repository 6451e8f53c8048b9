/** The band under the top bar: at most one, the most urgent first. */
import { onlineManager, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState, useSyncExternalStore } from "react"
import { Button } from "../kit/Button.tsx"
import styles from "../kit/kit.module.css"
import { accountApi } from "./Api.ts"
import { deployment } from "./Deployment.ts"
import { useOpened } from "./Project.tsx"
import { shellWords } from "./shellWords.ts"

/** Whether the last read of any page did not reach the server. */
const useConnectionLost = () => {
  const client = useQueryClient()
  return useSyncExternalStore(
    (listener) => {
      const cache = client.getQueryCache().subscribe(listener)
      const online = onlineManager.subscribe(listener)
      return () => {
        cache()
        online()
      }
    },
    () =>
      !onlineManager.isOnline() ||
      client
        .getQueryCache()
        .findAll({ type: "active" })
        .some(
          ({ state }) =>
            state.fetchFailureReason instanceof Error &&
            "code" in state.fetchFailureReason &&
            state.fetchFailureReason.code === "NETWORK_ERROR"
        )
  )
}

const Band = ({ children }: { readonly children: ReactNode }) => (
  <section className={styles.band} aria-live="polite">
    {children}
  </section>
)

const Unverified = () => {
  const { unverified, sendAgain, sentAgain } = shellWords()
  const [isSent, setSent] = useState(false)
  const send = async () => {
    const { error } = await accountApi.session.requestVerification()
    setSent(error === null)
  }
  return (
    <Band>
      {unverified}
      {isSent ? sentAgain : <Button onPress={() => void send()}>{sendAgain}</Button>}
    </Band>
  )
}

export const Bands = (): ReactNode => {
  const words = shellWords()
  const { project, user } = useOpened()
  const isLost = useConnectionLost()
  if (isLost) return <Band>{words.offline}</Band>
  if (project.disabled) {
    const isUnpaid = project.disabledReason === "PAYMENT_FAILED"
    return (
      <Band>
        {words.disabled(project.disabledReason === null ? "" : words.reasons[project.disabledReason])}
        <Link
          to={isUnpaid ? "/p/$projectId/settings/billing" : "/p/$projectId/settings"}
          params={{ projectId: project.id }}
        >
          {isUnpaid ? words.openBilling : words.openStanding}
        </Link>
      </Band>
    )
  }
  if (project.resetting) return <Band>{words.resetting}</Band>
  if (deployment.mode === "server" && !deployment.dev && !user.emailVerified) return <Unverified />
  if (deployment.dev) {
    return (
      <Band>
        {words.devBand}
        <Link to="/p/$projectId/mailbox" params={{ projectId: project.id }}>
          {words.openMailbox}
        </Link>
      </Band>
    )
  }
  return project.role === "MEMBER" ? <Band>{words.readOnly}</Band> : null
}
