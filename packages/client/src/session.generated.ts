// Generated from openapi.json by generate.ts; not to be edited.
import type { Call } from "./Answer.ts"
import { followerOf, type LiveOptions, type LiveTopic } from "./Live.ts"
import { type Lister, type WholeList, whole } from "./List.ts"
import type { CallOptions } from "./Options.ts"
import { type Caller, path } from "./Requests.ts"
import type * as Wire from "./types.generated.ts"
import { type Contacts, contactsOf, type OptIns, optInsOf, type Segments, segmentsOf, type Topics, topicsOf, type Consents, consentsOf, type PrivacyRequests, privacyRequestsOf, type Forms, formsOf, type Templates, templatesOf, type Partials, partialsOf, type Campaigns, campaignsOf, type Workflows, workflowsOf, type Executions, executionsOf, type Domains, domainsOf, type Emails, emailsOf, type Suppressions, suppressionsOf, type Events, eventsOf, type Activity, activityOf, type Analytics, analyticsOf, type Deliverability, deliverabilityOf, type Search, searchOf, type Views, viewsOf, type Uploads, uploadsOf, type Settings, settingsOf, type Projects, projectsOf, type ApiKeys, apiKeysOf, type Transports, transportsOf, type Webhooks, webhooksOf, type Members, membersOf, type Invitations, invitationsOf } from "./resources.generated.ts"

/** The service itself, for its operator. */
export interface Service {
  /**
   * Check that the process is alive
   *
   * For liveness probes; does no I/O. Needs no key and has no rate limit.
   *
   * `GET /health`
   */
  readonly health: (options?: CallOptions) => Call<Wire.Health>
  /**
   * Check that the service is ready
   *
   * For readiness probes; checks everything that the service needs. 503 from the start of a shutdown. Needs no key and has no rate limit.
   *
   * `GET /ready`
   */
  readonly ready: (options?: CallOptions) => Call<Wire.Ready>
  /**
   * Read the features of this deployment
   *
   * Which features are enabled, for user interfaces. Contains no secrets and no counts. Needs no key and has no rate limit.
   *
   * `GET /config`
   */
  readonly config: (options?: CallOptions) => Call<Wire.Deployment>
}

export const serviceOf = (call: Caller): Service => ({
  health: (options) => call("GET", "/health", { options }),
  ready: (options) => call("GET", "/ready", { options }),
  config: (options) => call("GET", "/config", { options })
})

/** Logging in and out, signing up, confirming addresses, resetting passwords. */
export interface Auth {
  /**
   * Log in
   *
   * Sets the session cookie. If the account has two-factor authentication: 401 `TWO_FACTOR_REQUIRED` without a cookie, and `POST /auth/two-factor` continues the login. After 5 failures of an account, or 20 from one network address, within 15 minutes: 429, even for the right password.
   *
   * `POST /auth/login`
   */
  readonly login: (body: Wire.Login, options?: CallOptions) => Call<Wire.LoggedIn["data"]>
  /**
   * Log in with the second factor
   *
   * Takes the token of `TWO_FACTOR_REQUIRED`, valid for 10 minutes and five attempts, and a code of the authenticator app, a recovery code or a passkey. Sets the session cookie.
   *
   * `POST /auth/two-factor`
   */
  readonly twoFactor: (body: Wire.SecondFactor, options?: CallOptions) => Call<Wire.LoggedIn["data"]>
  /**
   * Start a login with a passkey
   *
   * Options for `navigator.credentials.get()`. The challenge is valid once, for five minutes. With the token of `TWO_FACTOR_REQUIRED` the passkey is the second factor of that login.
   *
   * `POST /auth/passkey/options`
   */
  readonly passkeyOptions: (body?: Wire.AskPasskey, options?: CallOptions) => Call<Wire.PasskeyRequest>
  /**
   * Log in with a passkey
   *
   * No password is needed if the authenticator has verified its user, which counts as two factors. With the token of `TWO_FACTOR_REQUIRED`, as the second factor. Sets the session cookie.
   *
   * `POST /auth/passkey`
   */
  readonly passkey: (body: Wire.PasskeyLogin, options?: CallOptions) => Call<Wire.LoggedIn["data"]>
  /**
   * Sign up
   *
   * Creates an account, logs it in and emails a link that confirms the address. At most 10 an hour from one network address. 403 `SIGNUPS_DISABLED` if the configuration closes sign-up, always or once there is an account; see `features.signups` of `GET /config`. With an invitation, sign-up is always possible.
   *
   * `POST /auth/signup`
   */
  readonly signup: (body: Wire.Signup, options?: CallOptions) => Call<Wire.SignedUp["data"]>
  /**
   * Log out
   *
   * Ends this session and clears its cookie. The response is the same without a session.
   *
   * `GET /auth/logout`
   */
  readonly logout: (options?: CallOptions) => Call<Wire.Done>
  /**
   * List the OAuth providers
   *
   * The providers that users of this deployment can log in with.
   *
   * `GET /auth/oauth-config`
   */
  readonly oauthConfig: (options?: CallOptions) => Call<Wire.OauthConfig["data"]>
  /**
   * Confirm an address
   *
   * Takes the token from the email, which is valid once, for 24 hours. The page behind the link also asks for the password of the account, and can delete an account that someone else created. After 20 wrong tokens of one network address within a minute: 429.
   *
   * `POST /auth/verify-email`
   */
  readonly verifyEmail: (body: Wire.GivenToken, options?: CallOptions) => Call<Wire.VerifiedEmail["data"]>
  /**
   * Request an email to reset the password
   *
   * The response is the same whether or not the account exists. Only existing accounts get an email, at most 3 an hour. After 20 requests of one network address within 15 minutes: 429.
   *
   * `POST /auth/request-password-reset`
   */
  readonly requestPasswordReset: (body: Wire.RequestReset, options?: CallOptions) => Call<Wire.Done>
  /**
   * Set a new password
   *
   * Takes the token from the email, which is valid once, for one hour. Ends all sessions and confirms the address; does not log in. After 20 wrong tokens of one network address within a minute: 429.
   *
   * `POST /auth/reset-password`
   */
  readonly resetPassword: (body: Wire.ResetPassword, options?: CallOptions) => Call<Wire.Done>
}

export const authOf = (call: Caller): Auth => ({
  login: (body, options) => call("POST", "/auth/login", { body, options }),
  twoFactor: (body, options) => call("POST", "/auth/two-factor", { body, options }),
  passkeyOptions: (body, options) => call("POST", "/auth/passkey/options", { body, options }),
  passkey: (body, options) => call("POST", "/auth/passkey", { body, options }),
  signup: (body, options) => call("POST", "/auth/signup", { body, options }),
  logout: (options) => call("GET", "/auth/logout", { options }),
  oauthConfig: (options) => call("GET", "/auth/oauth-config", { options }),
  verifyEmail: (body, options) => call("POST", "/auth/verify-email", { body, options }),
  requestPasswordReset: (body, options) => call("POST", "/auth/request-password-reset", { body, options }),
  resetPassword: (body, options) => call("POST", "/auth/reset-password", { body, options })
})

/** The session of the user. */
export interface Session {
  /**
   * Log out everywhere
   *
   * Ends every session of the user, including this one.
   *
   * `POST /auth/logout-all`
   */
  readonly logoutAll: (options?: CallOptions) => Call<Wire.Done>
  /**
   * Request another confirmation email
   *
   * Earlier links stop working. At most 3 an hour; none if the address is already confirmed.
   *
   * `POST /auth/request-verification`
   */
  readonly requestVerification: (options?: CallOptions) => Call<Wire.Done>
}

export const sessionOf = (call: Caller): Session => ({
  logoutAll: (options) => call("POST", "/auth/logout-all", { options }),
  requestVerification: (options) => call("POST", "/auth/request-verification", { options })
})

/** The user of the session. */
export interface Users {
  /**
   * Read the current user
   *
   * The user of the session.
   *
   * `GET /users/@me`
   */
  readonly me: (options?: CallOptions) => Call<Wire.User>
  /**
   * Delete the account
   *
   * Ends every session and every membership. Refused while the user owns a project.
   *
   * `DELETE /users/@me`
   */
  readonly remove: (options?: CallOptions) => Call<true>
  /**
   * Change the password
   *
   * Ends all other sessions. A wrong current password counts as a failed login.
   *
   * `POST /users/@me/password`
   */
  readonly changePassword: (body: Wire.ChangePassword, options?: CallOptions) => Call<Wire.Done>
  /**
   * List the user's projects
   *
   * Newest first, with the user's role in each. Secret keys are not shown.
   *
   * `GET /users/@me/projects`
   */
  readonly projects: (options?: CallOptions) => Call<ReadonlyArray<Wire.Project>>
  /**
   * Create a project
   *
   * The user becomes its OWNER. The secret key is shown only here. An account owns at most 50 projects, and cannot create one while one of them is disabled for its mail.
   *
   * `POST /users/@me/projects`
   */
  readonly createProject: (body: Wire.CreateProject, options?: CallOptions) => Call<Wire.ProjectWithSecret>
}

export const usersOf = (call: Caller): Users => ({
  me: (options) => call("GET", "/users/@me", { options }),
  remove: (options) => call("DELETE", "/users/@me", { options }),
  changePassword: (body, options) => call("POST", "/users/@me/password", { body, options }),
  projects: (options) => call("GET", "/users/@me/projects", { options }),
  createProject: (body, options) => call("POST", "/users/@me/projects", { body, options })
})

/** The open sessions of the user. */
export interface AccountSessions {
  /**
   * List the user's sessions
   *
   * Every open session.
   *
   * `GET /users/@me/sessions`
   */
  readonly list: (options?: CallOptions) => WholeList<ReadonlyArray<Wire.AccountSession>>
  /**
   * End all other sessions
   *
   * All sessions except that of the request. Their next requests are refused, in every process.
   *
   * `DELETE /users/@me/sessions`
   */
  readonly removeOthers: (options?: CallOptions) => Call<true>
  /**
   * End a session
   *
   * Its next request is refused, in every process. It may be the session of the request.
   *
   * `DELETE /users/@me/sessions/{id}`
   */
  readonly remove: (id: string, options?: CallOptions) => Call<true>
}

export const accountSessionsOf = (call: Caller): AccountSessions => ({
  list: (options) => whole(call("GET", "/users/@me/sessions", { options })),
  removeOthers: (options) => call("DELETE", "/users/@me/sessions", { options }),
  remove: (id, options) => call("DELETE", path`/users/@me/sessions/${id}`, { options })
})

/** The second factor of the user's logins. */
export interface TwoFactor {
  /**
   * Read the factors of the account
   *
   * Whether a login needs a second factor, and how many recovery codes and passkeys there are.
   *
   * `GET /users/@me/two-factor`
   */
  readonly state: (options?: CallOptions) => Call<Wire.TwoFactorState>
  /**
   * Start the setup of two-factor authentication
   *
   * A new secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). Nothing changes until a code confirms it. Requires the password; an account without one can set it by a password reset.
   *
   * `POST /users/@me/two-factor/totp`
   */
  readonly setUp: (body: Wire.SetUpTotp, options?: CallOptions) => Call<Wire.TotpSecret>
  /**
   * Turn off two-factor authentication
   *
   * Needs the password, and a code of the app or a recovery code. Emails the user.
   *
   * `DELETE /users/@me/two-factor/totp`
   */
  readonly remove: (body: Wire.RemoveTotp, options?: CallOptions) => Call<true>
  /**
   * Turn on two-factor authentication
   *
   * Needs a code of the app. From now on each login needs a second factor. Ends all other sessions and emails the user.
   *
   * `POST /users/@me/two-factor/totp/confirm`
   */
  readonly confirm: (body: Wire.ConfirmTotp, options?: CallOptions) => Call<Wire.RecoveryCodes>
}

export const twoFactorOf = (call: Caller): TwoFactor => ({
  state: (options) => call("GET", "/users/@me/two-factor", { options }),
  setUp: (body, options) => call("POST", "/users/@me/two-factor/totp", { body, options }),
  remove: (body, options) => call("DELETE", "/users/@me/two-factor/totp", { body, options }),
  confirm: (body, options) => call("POST", "/users/@me/two-factor/totp/confirm", { body, options })
})

/** Passkeys of the user: keys on devices, for login without a password. */
export interface Passkeys {
  /**
   * Start adding a passkey
   *
   * Options for `navigator.credentials.create()`. The challenge is valid once, for five minutes, in this session. An account has at most 20 passkeys.
   *
   * `POST /users/@me/passkeys/options`
   */
  readonly options: (options?: CallOptions) => Call<Wire.PasskeyCreation>
  /**
   * List the user's passkeys
   *
   * The oldest first.
   *
   * `GET /users/@me/passkeys`
   */
  readonly list: (options?: CallOptions) => WholeList<ReadonlyArray<Wire.Passkey>>
  /**
   * Add a passkey
   *
   * Takes the result of the browser. Emails the user.
   *
   * `POST /users/@me/passkeys`
   */
  readonly add: (body: Wire.AddPasskey, options?: CallOptions) => Call<Wire.Passkey>
  /**
   * Remove a passkey
   *
   * The passkey can no longer log in. Emails the user.
   *
   * `DELETE /users/@me/passkeys/{id}`
   */
  readonly remove: (id: string, options?: CallOptions) => Call<true>
}

export const passkeysOf = (call: Caller): Passkeys => ({
  options: (options) => call("POST", "/users/@me/passkeys/options", { options }),
  list: (options) => whole(call("GET", "/users/@me/passkeys", { options })),
  add: (body, options) => call("POST", "/users/@me/passkeys", { body, options }),
  remove: (id, options) => call("DELETE", path`/users/@me/passkeys/${id}`, { options })
})

/** The projects of the user. */
export interface OwnProjects {
  /**
   * Change the settings of a project
   *
   * For OWNER and ADMIN. Tracking applies to mail accepted afterwards.
   *
   * `PATCH /users/@me/projects/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateProject, options?: CallOptions) => Call<Wire.Project>
  /**
   * Delete a project
   *
   * For the OWNER. Keys and memberships end at once; the data is removed within 24 hours.
   *
   * `DELETE /users/@me/projects/{id}`
   */
  readonly remove: (id: string, options?: CallOptions) => Call<true>
  /**
   * Replace both keys of a project
   *
   * For OWNER and ADMIN. Both old keys stop working at once, in every process. The secret key is shown only here.
   *
   * `POST /users/@me/projects/{id}/regenerate-keys`
   */
  readonly regenerateKeys: (id: string, options?: CallOptions) => Call<Wire.ProjectWithSecret>
  /**
   * Delete the data of a project
   *
   * For the OWNER. Irreversible: deletes contacts, templates, events, mail and everything else except settings, keys, members and domains. 202 if it takes longer than 5 seconds; `resetting` of the project becomes false when it is done.
   *
   * `POST /users/@me/projects/{id}/reset`
   */
  readonly reset: (id: string, options?: CallOptions) => Call<Wire.ResetAnswer["data"] | Wire.ResetRunning["data"]>
  /**
   * Read the sender reputation of a project of the user
   *
   * Bounce and complaint rates of seven days and of all time, and the last times it was disabled.
   *
   * `GET /users/@me/projects/{id}/security`
   */
  readonly security: (id: string, options?: CallOptions) => Call<Wire.SecurityState>
}

export const ownProjectsOf = (call: Caller): OwnProjects => ({
  update: (id, body, options) => call("PATCH", path`/users/@me/projects/${id}`, { body, options }),
  remove: (id, options) => call("DELETE", path`/users/@me/projects/${id}`, { options }),
  regenerateKeys: (id, options) => call("POST", path`/users/@me/projects/${id}/regenerate-keys`, { options }),
  reset: (id, options) => call("POST", path`/users/@me/projects/${id}/reset`, { options }),
  security: (id, options) => call("GET", path`/users/@me/projects/${id}/security`, { options })
})

/** Caps, usage, and the subscription of a project. */
export interface Billing {
  /**
   * Subscribe
   *
   * For OWNER and ADMIN. Returns a page on which to subscribe the project. `currency` is in the query or in the body. 404 with resource `billing` without a payment provider; 409 with reason `already_subscribed`.
   *
   * `POST /users/@me/projects/{id}/checkout`
   */
  readonly checkout: (id: string, body?: Wire.CheckoutCurrency, query?: Wire.BillingCheckoutQuery, options?: CallOptions) => Call<Wire.BillingLink>
  /**
   * Open the billing portal
   *
   * For OWNER and ADMIN. Returns a page with payment methods, invoices and the subscription. 404 with resource `billing` without a payment provider; 409 with reason `no_customer` before the first checkout.
   *
   * `POST /users/@me/projects/{id}/billing-portal`
   */
  readonly portal: (id: string, options?: CallOptions) => Call<Wire.BillingLink>
  /**
   * Read the caps of a project
   *
   * The cap of each category for a period, and its usage so far.
   *
   * `GET /users/@me/projects/{id}/billing-limits`
   */
  readonly limits: (id: string, options?: CallOptions) => Call<Wire.BillingLimits>
  /**
   * Set caps
   *
   * For OWNER and ADMIN. A request that would exceed a cap is refused as a whole, with 402; reaching the cap exactly is allowed. A cap below the current usage blocks at once, in every process.
   *
   * `PUT /users/@me/projects/{id}/billing-limits`
   */
  readonly setLimits: (id: string, body?: Wire.SetBillingLimits, options?: CallOptions) => Call<Wire.BillingLimits>
  /**
   * Read the usage
   *
   * In the current period: accepted emails by their source, and inbound mail. Suppressed, cancelled and test mail is not counted.
   *
   * `GET /users/@me/projects/{id}/billing-consumption`
   */
  readonly consumption: (id: string, options?: CallOptions) => Call<Wire.BillingConsumption>
  /**
   * List invoices
   *
   * For OWNER and ADMIN. The newest 100; none without a payment provider.
   *
   * `GET /users/@me/projects/{id}/billing-invoices`
   */
  readonly invoices: (id: string, options?: CallOptions) => Call<Wire.BillingInvoices>
}

export const billingOf = (call: Caller): Billing => ({
  checkout: (id, body, query, options) => call("POST", path`/users/@me/projects/${id}/checkout`, { body, query, options }),
  portal: (id, options) => call("POST", path`/users/@me/projects/${id}/billing-portal`, { options }),
  limits: (id, options) => call("GET", path`/users/@me/projects/${id}/billing-limits`, { options }),
  setLimits: (id, body, options) => call("PUT", path`/users/@me/projects/${id}/billing-limits`, { body, options }),
  consumption: (id, options) => call("GET", path`/users/@me/projects/${id}/billing-consumption`, { options }),
  invoices: (id, options) => call("GET", path`/users/@me/projects/${id}/billing-invoices`, { options })
})

/** Invitations, for their recipients. */
export interface Invited {
  /**
   * Read an invitation
   *
   * The invitation that the link in the email belongs to.
   *
   * `GET /invitations/{token}`
   */
  readonly view: (token: string, options?: CallOptions) => Call<Wire.InvitationView["data"]>
  /**
   * Accept an invitation
   *
   * The user of the session must have the invited address. Confirms the address. An existing member keeps the role. With an offer of ownership, the old OWNER becomes ADMIN; a disabled project keeps its OWNER.
   *
   * `POST /invitations/accept`
   */
  readonly accept: (body: Wire.GivenToken, options?: CallOptions) => Call<Wire.AcceptedInvitation["data"]>
}

export const invitedOf = (call: Caller): Invited => ({
  view: (token, options) => call("GET", path`/invitations/${token}`, { options }),
  accept: (body, options) => call("POST", "/invitations/accept", { body, options })
})

/** Invitations to the user of the session. */
export interface OwnInvitations {
  /**
   * List the user's invitations
   *
   * Open invitations to the address of the user, oldest first; none until the address is confirmed.
   *
   * `GET /users/@me/invitations`
   */
  readonly list: (options?: CallOptions) => WholeList<ReadonlyArray<Wire.ReceivedInvitation>>
  /**
   * Accept one of the user's invitations
   *
   * Makes the user a member, or with an offer of ownership the OWNER. An existing member keeps the role. Only the first answer to an invitation counts.
   *
   * `POST /users/@me/invitations/{id}/accept`
   */
  readonly accept: (id: string, options?: CallOptions) => Call<Wire.AcceptedInvitation["data"]>
  /**
   * Decline one of the user's invitations
   *
   * The invitation ends; nothing else changes.
   *
   * `POST /users/@me/invitations/{id}/decline`
   */
  readonly decline: (id: string, options?: CallOptions) => Call<Wire.Done>
}

export const ownInvitationsOf = (call: Caller): OwnInvitations => ({
  list: (options) => whole(call("GET", "/users/@me/invitations", { options })),
  accept: (id, options) => call("POST", path`/users/@me/invitations/${id}/accept`, { options }),
  decline: (id, options) => call("POST", path`/users/@me/invitations/${id}/decline`, { options })
})

/** Every operation of the service that a user of the dashboard can call, as a method. */
export class SessionResources {
  /**
   * Follow changes
   *
   * A stream of server-sent events: what happens in the project, within about two seconds. Lines with an `id` alone move the position. A comment comes every 15 seconds. The stream ends after 15 minutes, and at once when the server stops: connect again with the last id in `Last-Event-ID`, and nothing is lost. An entry that is recorded more than 30 seconds after its own time may be missing; lists have it. At most 20 streams of a user or key and 200 of a project at one server: 429.
   *
   * `GET /live`
   */
  readonly live: (topics?: ReadonlyArray<LiveTopic>, options?: LiveOptions) => AsyncIterable<Wire.LiveEvent>
  /** People, one for each address, with the custom data that their mail is rendered from. */
  readonly contacts: Contacts
  /** Double opt-in: contacts confirm by mail that they want what was asked for. */
  readonly optIns: OptIns
  /** Named groups of contacts, by a condition or by hand. */
  readonly segments: Segments
  /** Kinds of mail that contacts take or leave, apart from all other mail. */
  readonly topics: Topics
  /** What proves that contacts agreed to mail, or withdrew. */
  readonly consents: Consents
  /** What recipients ask about their data on the page of preferences. */
  readonly privacyRequests: PrivacyRequests
  /** Sign-up forms: their fields, texts and topics, and the HTML for a page. */
  readonly forms: Forms
  /** Content that is written once and rendered for each recipient. */
  readonly templates: Templates
  /** Pieces of mail that several templates and campaigns include with `{{> name}}`. A layout is a partial around a whole body. */
  readonly partials: Partials
  /** One message to an audience, sent at once or at a scheduled time. */
  readonly campaigns: Campaigns
  /** Graphs of steps that contacts go through. */
  readonly workflows: Workflows
  /** Executions: each is one contact in one workflow. */
  readonly executions: Executions
  /** Sender domains, with the DNS records for their ownership and signatures. */
  readonly domains: Domains
  /** The delivery ledger: one record for each mail to each recipient. */
  readonly emails: Emails
  /** Addresses that get no mail of any type. */
  readonly suppressions: Suppressions
  /** Actions of contacts, and events of their mail. */
  readonly events: Events
  /** The activity feed of the project, across its resources. */
  readonly activity: Activity
  /** Statistics of mail, campaigns and events. */
  readonly analytics: Analytics
  /** How mail to mailbox providers goes. */
  readonly deliverability: Deliverability
  /** One search over the records of the project. */
  readonly search: Search
  /** Queries of lists that people come back to. Closed to API keys. */
  readonly views: Views
  /** Images for mails. */
  readonly uploads: Uploads
  /** Rules of the audience and of sending: consent, pages of recipients, ingestion, quiet hours, frequency caps, approval of campaigns. */
  readonly settings: Settings
  /** The project itself. */
  readonly projects: Projects
  /** Credentials with their own scopes, in addition to the two keys of the project. */
  readonly apiKeys: ApiKeys
  /** SMTP servers of the project, and their routes. */
  readonly transports: Transports
  /** Endpoints that receive events. */
  readonly webhooks: Webhooks
  /** The service itself, for its operator. */
  readonly service: Service
  /** Logging in and out, signing up, confirming addresses, resetting passwords. */
  readonly auth: Auth
  /** The session of the user. */
  readonly session: Session
  /** The user of the session. */
  readonly users: Users
  /** The open sessions of the user. */
  readonly accountSessions: AccountSessions
  /** The second factor of the user's logins. */
  readonly twoFactor: TwoFactor
  /** Passkeys of the user: keys on devices, for login without a password. */
  readonly passkeys: Passkeys
  /** The projects of the user. */
  readonly ownProjects: OwnProjects
  /** Caps, usage, and the subscription of a project. */
  readonly billing: Billing
  /** Users who may act for the project. */
  readonly members: Members
  /** Invitations to the project. */
  readonly invitations: Invitations
  /** Invitations, for their recipients. */
  readonly invited: Invited
  /** Invitations to the user of the session. */
  readonly ownInvitations: OwnInvitations

  constructor(call: Caller, list: Lister) {
    this.live = followerOf(call)
    this.contacts = contactsOf(call, list)
    this.optIns = optInsOf(call, list)
    this.segments = segmentsOf(call, list)
    this.topics = topicsOf(call, list)
    this.consents = consentsOf(call, list)
    this.privacyRequests = privacyRequestsOf(call, list)
    this.forms = formsOf(call)
    this.templates = templatesOf(call, list)
    this.partials = partialsOf(call, list)
    this.campaigns = campaignsOf(call, list)
    this.workflows = workflowsOf(call, list)
    this.executions = executionsOf(call, list)
    this.domains = domainsOf(call)
    this.emails = emailsOf(call, list)
    this.suppressions = suppressionsOf(call, list)
    this.events = eventsOf(call, list)
    this.activity = activityOf(call, list)
    this.analytics = analyticsOf(call)
    this.deliverability = deliverabilityOf(call)
    this.search = searchOf(call)
    this.views = viewsOf(call)
    this.uploads = uploadsOf(call, list)
    this.settings = settingsOf(call)
    this.projects = projectsOf(call, list)
    this.apiKeys = apiKeysOf(call)
    this.transports = transportsOf(call)
    this.webhooks = webhooksOf(call, list)
    this.service = serviceOf(call)
    this.auth = authOf(call)
    this.session = sessionOf(call)
    this.users = usersOf(call)
    this.accountSessions = accountSessionsOf(call)
    this.twoFactor = twoFactorOf(call)
    this.passkeys = passkeysOf(call)
    this.ownProjects = ownProjectsOf(call)
    this.billing = billingOf(call)
    this.members = membersOf(call)
    this.invitations = invitationsOf(call)
    this.invited = invitedOf(call)
    this.ownInvitations = ownInvitationsOf(call)
  }
}
