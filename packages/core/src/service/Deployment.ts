/** Public facts about a deployment: which features are on. Contains no secrets. Pure. */
import type { Deployment } from "@posthorn/contract/service/ServiceApi"
import { Option } from "effect"
import type { ObjectStorage } from "../content/uploads/ObjectStorage.ts"
import type { Listening } from "../mail/submission/Submission.ts"
import type { Settings } from "../platform/Settings.ts"

/** Facts that are not settings. */
export interface Equipment {
  /** Whether anyone may sign up. */
  readonly signupsOpen: boolean
  readonly sells: boolean
  /** Where mail is taken by SMTP. */
  readonly submission: Option.Option<Listening>
  readonly storage: ObjectStorage["kind"]
  readonly authProviders: typeof Deployment.Type.features.authProviders
}

/** The console of this host, else a dashboard of another origin. */
const dashboardOf = ({ dashboardOrigins, hasConsole, publicUrl }: Settings): string | null => {
  const own = new URL(publicUrl).origin
  return hasConsole ? `${publicUrl}/console` : (dashboardOrigins.find((origin) => origin !== own) ?? null)
}

export const deploymentOf = (settings: Settings, equipment: Equipment): typeof Deployment.Type => {
  const { devMode, listensForMail, notificationSecret, publicUrl, snsTopics } = settings
  return {
    environment: devMode ? "development" : "production",
    version: settings.version,
    urls: { api: publicUrl, dashboard: dashboardOf(settings) },
    features: {
      signups: { enabled: equipment.signupsOpen },
      billing: { enabled: equipment.sells },
      storage: { enabled: equipment.storage !== "none", s3Enabled: equipment.storage === "s3" },
      authProviders: equipment.authProviders,
      smtp: Option.match(equipment.submission, {
        onNone: () => ({ enabled: false, host: null, ports: { starttls: null, tls: null } }),
        onSome: ({ host, ports }) => ({ enabled: true, host, ports })
      }),
      email: { trackingToggleEnabled: true, verificationRequired: settings.emailVerificationRequired },
      inbound: { enabled: listensForMail || notificationSecret !== undefined || snsTopics.length > 0 },
      devMailbox: { enabled: devMode }
    }
  }
}
