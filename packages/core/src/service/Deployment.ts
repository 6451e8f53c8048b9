/** What a deployment tells everybody about itself (contract-2 8.2): which features are on, and nothing that is secret. Pure. */
import type { Deployment } from "@posthorn/contract/service/ServiceApi"
import type { ProviderName } from "../accounts/IdentityProvider.ts"
import type { Settings } from "../Settings.ts"
import type { ObjectStorage } from "../uploads/ObjectStorage.ts"

/** What the host brought beside the settings. */
export interface Equipment {
  readonly sells: boolean
  readonly storage: ObjectStorage["kind"]
  readonly authProviders: { readonly [P in ProviderName]: boolean }
}

export const deploymentOf = (settings: Settings, equipment: Equipment): typeof Deployment.Type => {
  const { dashboardOrigins, devMode, listensForMail, notificationSecret, publicUrl, snsTopics } = settings
  const own = new URL(publicUrl).origin
  return {
    environment: devMode ? "development" : "production",
    version: settings.version,
    urls: { api: publicUrl, dashboard: dashboardOrigins.find((origin) => origin !== own) ?? null },
    features: {
      signups: { enabled: !settings.signupsDisabled },
      billing: { enabled: equipment.sells },
      storage: { enabled: equipment.storage !== "none", s3Enabled: equipment.storage === "s3" },
      authProviders: equipment.authProviders,
      // Mail is taken through the API alone.
      smtp: { enabled: false },
      email: { trackingToggleEnabled: true, verificationRequired: settings.emailVerificationRequired },
      inbound: { enabled: listensForMail || notificationSecret !== undefined || snsTopics.length > 0 },
      devMailbox: { enabled: devMode }
    }
  }
}
