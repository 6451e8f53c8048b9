export type { Answer, Call, ClientErrorCode, Meta } from "./Answer.ts"
export { PosthornError } from "./Answer.ts"
export type { List, WholeList } from "./List.ts"
export type { LiveOptions, LiveTopic } from "./Live.ts"
export type { CallOptions, KeyedCallOptions, PosthornOptions } from "./Options.ts"
export { Posthorn } from "./Posthorn.ts"
export {
  type DataRequest,
  type DataRequested,
  type PreferencesChange,
  preferences,
  type RecipientPreferences,
  type ShownPreferences
} from "./Preferences.ts"
export type * from "./resources.generated.ts"
export type * from "./types.generated.ts"
export { verifyWebhook, WebhookError, type WebhookHeaders } from "./Webhook.ts"
