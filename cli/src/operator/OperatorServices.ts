/**
 * The operator's services, which use the database directly. They need neither the API nor its keys nor the secret of
 * the installation.
 */

import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Domain } from "@posthorn/contract/mail/domains/Domain"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Name } from "@posthorn/contract/platform/Primitives"
import { twoFactorsOffEmail } from "@posthorn/core/accounts/people/AccountEmails"
import * as AccountStoreSql from "@posthorn/core/accounts/people/AccountStoreSql"
import * as Accounts from "@posthorn/core/accounts/people/Accounts"
import * as TwoFactorStore from "@posthorn/core/accounts/people/TwoFactorStore"
import * as ApiKeyStoreSql from "@posthorn/core/accounts/projects/ApiKeyStoreSql"
import * as ProjectStoreSql from "@posthorn/core/accounts/projects/ProjectStoreSql"
import * as Projects from "@posthorn/core/accounts/projects/Projects"
import { Suspensions } from "@posthorn/core/accounts/projects/Suspensions"
import * as SystemMail from "@posthorn/core/accounts/systemmail/SystemMail"
import { cancelRunning } from "@posthorn/core/automation/campaigns/RunningCampaignsSql"
import type { DomainStore } from "@posthorn/core/mail/domains/DomainStore"
import * as DomainStoreSql from "@posthorn/core/mail/domains/DomainStoreSql"
import { type CannotTrust, trust, untrust } from "@posthorn/core/mail/domains/DomainTrust"
import * as SuspensionRules from "@posthorn/core/mail/reputation/SuspensionRules"
import * as ReturnPath from "@posthorn/core/mail/sending/ReturnPath"
import * as ProviderSettings from "@posthorn/core/mail/shaping/ProviderSettings"
import { Background } from "@posthorn/core/platform/audit/Audited"
import { entriesOf } from "@posthorn/core/platform/audit/AuditLog"
import type { DnsResolver } from "@posthorn/core/platform/dns/DnsResolver"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { defaults, Settings } from "@posthorn/core/platform/Settings"
import * as Transaction from "@posthorn/core/platform/Transaction"
import type { Config } from "@posthorn/node/Config"
import * as Argon2 from "@posthorn/platform-node/accounts/Argon2"
import * as NodeDnsResolver from "@posthorn/platform-node/dns/NodeDnsResolver"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { Operator } from "./Operator.ts"
import * as OperatorDatabase from "./OperatorDatabase.ts"

const storage = Layer.mergeAll(
  AccountStoreSql.layer,
  ApiKeyStoreSql.layer,
  DomainStoreSql.layer,
  ProjectStoreSql.layer,
  ReturnPath.layerWithoutSecret,
  SystemMail.layerSql,
  Transaction.layerSql
)

const decodeName = Schema.decodeEffect(Name(100))
const encodeDomain = Schema.encodeEffect(Domain)

const cannotTrust = ({ message, reason, projects }: CannotTrust) => {
  if (reason === "several") return wrongUsage(message, `Choose one with --project: ${projects.join(", ")}.`)
  return new CommandFailure({ exit: reason === "unknown" ? "notFound" : "failed", code: "CANNOT_TRUST", message })
}

const operator = Layer.effect(
  Operator,
  Effect.gen(function* () {
    const accounts = yield* Accounts.Accounts
    const projects = yield* Projects.Projects
    const sql = yield* SqlClient.SqlClient
    const suspensions = yield* Suspensions
    const mail = yield* SystemMail.SystemMail
    const transaction = yield* Transaction.Transaction
    const twoFactors = yield* TwoFactorStore.make
    const domains = yield* Effect.context<DnsResolver | DomainStore | ReturnPath.ReturnPath>()

    const createProject = Effect.fn("Operator.createProject")(function* (given: string) {
      const name = yield* Effect.mapError(decodeName(given), () =>
        wrongUsage("The name of a project must have 1 to 100 characters on one line.")
      )
      return yield* projects.create(name)
    })

    const setTrust = Effect.fn("Operator.setTrust")(function* (
      name: string,
      project: string | undefined,
      trusted: boolean
    ) {
      const id = project === undefined ? undefined : ProjectId.make(project)
      const domain = yield* (trusted ? trust(name, id) : untrust(name, id)).pipe(
        Effect.mapError(cannotTrust),
        Effect.provideContext(domains)
      )
      return yield* Effect.orDie(encodeDomain(domain))
    })

    const switchTwoFactorsOff = Effect.fn("Operator.switchTwoFactorsOff")(function* (email: string) {
      const account = yield* accounts.find(email)
      if (Option.isNone(account)) {
        return yield* new CommandFailure({
          exit: "notFound",
          code: "RESOURCE_NOT_FOUND",
          message: `There is no account ${email}.`
        })
      }
      return yield* transaction.run(
        Effect.gen(function* () {
          const changed = yield* twoFactors.remove(account.value.id)
          if (changed) yield* mail.post([twoFactorsOffEmail(account.value.email)])
          return changed
        })
      )
    })

    const inDatabase = Effect.provideService(SqlClient.SqlClient, sql)

    return Operator.of({
      accounts,
      audit: (project, limit, action) => entriesOf(sql, project, limit, action),
      projects,
      providers: {
        list: inDatabase(ProviderSettings.list),
        set: (input) => inDatabase(ProviderSettings.set(input)),
        reset: (provider) => inDatabase(ProviderSettings.reset(provider)),
        suspend: (provider, duration) => inDatabase(ProviderSettings.suspend(provider, duration)),
        resume: (provider) => inDatabase(ProviderSettings.resume(provider))
      },
      suspensions,
      createProject,
      setTrust,
      switchTwoFactorsOff
    })
  })
)

/** DNS decides, even for names that a development server accepts without DNS. */
const settings = ({ settings, publicUrl }: Config) =>
  Layer.succeed(Settings, {
    ...settings,
    publicUrl: publicUrl ?? defaults.publicUrl,
    dashboardOrigins: defaults.dashboardOrigins,
    outboundAllowed: defaults.outboundAllowed,
    devMode: false
  })

const services = (config: Config) =>
  operator.pipe(
    Layer.provide(SuspensionRules.layer(cancelRunning)),
    Layer.provide(Accounts.layer),
    Layer.provide(Projects.layer),
    Layer.provide(storage),
    Layer.provide([
      NodeDnsResolver.layer({ servers: config.dnsServers }),
      Argon2.layer,
      NodeCrypto.layer,
      settings(config)
    ])
  )

/** The database must have the schema of this version. Nothing is migrated implicitly. */
export const layer = (dataDir: string | undefined) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const config = yield* OperatorDatabase.config(dataDir)
      yield* OperatorDatabase.existing(config)
      const asOperator = Layer.succeed(Background, "operator")
      return Layer.provide(
        Layer.mergeAll(services(config), asOperator, OperatorDatabase.logs(config)),
        Layer.provideMerge(Migrations.layerCheck, OperatorDatabase.layer(config))
      )
    })
  )
