/** What operators do, over the database: without the API, its keys, or the secret of the installation. */

import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { ProjectId } from "@posthorn/contract/Auth"
import { Domain } from "@posthorn/contract/domains/Domain"
import { Name } from "@posthorn/contract/Wire"
import * as AccountStoreSql from "@posthorn/core/accounts/AccountStoreSql"
import * as Accounts from "@posthorn/core/accounts/Accounts"
import { Background } from "@posthorn/core/audit/Audited"
import * as AuditLog from "@posthorn/core/audit/AuditLog"
import * as RunningCampaignsSql from "@posthorn/core/campaigns/RunningCampaignsSql"
import * as DomainStoreSql from "@posthorn/core/domains/DomainStoreSql"
import * as DomainTrust from "@posthorn/core/domains/DomainTrust"
import * as WaitingMail from "@posthorn/core/emails/WaitingMail"
import * as Migrations from "@posthorn/core/migrations/index"
import * as KeyRing from "@posthorn/core/projects/KeyRing"
import * as ProjectStoreSql from "@posthorn/core/projects/ProjectStoreSql"
import * as Projects from "@posthorn/core/projects/Projects"
import { defaults, Settings } from "@posthorn/core/Settings"
import * as StandingStoreSql from "@posthorn/core/security/StandingStoreSql"
import * as Suspensions from "@posthorn/core/security/Suspensions"
import * as SystemMail from "@posthorn/core/systemmail/SystemMail"
import * as Transaction from "@posthorn/core/Transaction"
import * as Argon2 from "@posthorn/node/accounts/Argon2"
import type { Config } from "@posthorn/node/Config"
import * as NodeDnsResolver from "@posthorn/node/dns/NodeDnsResolver"
import { Effect, Layer, Schema } from "effect"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { Operator } from "./Operator.ts"
import * as OperatorDatabase from "./OperatorDatabase.ts"

const storage = Layer.mergeAll(
  AccountStoreSql.layer,
  AuditLog.layerSql,
  DomainStoreSql.layer,
  ProjectStoreSql.layer,
  RunningCampaignsSql.layer,
  StandingStoreSql.layer,
  SystemMail.layerSql,
  Transaction.layerSql,
  WaitingMail.layerSql
)

const decodeName = Schema.decodeEffect(Name(100))
const encodeDomain = Schema.encodeEffect(Domain)

const cannotTrust = ({ message, reason, projects }: DomainTrust.CannotTrust) => {
  if (reason === "several") return wrongUsage(message, `Give one of them with --project: ${projects.join(", ")}.`)
  return new CommandFailure({ exit: reason === "unknown" ? "notFound" : "failed", code: "CANNOT_TRUST", message })
}

const operator = Layer.effect(
  Operator,
  Effect.gen(function* () {
    const accounts = yield* Accounts.Accounts
    const projects = yield* Projects.Projects
    const audit = yield* AuditLog.AuditLog
    const suspensions = yield* Suspensions.Suspensions
    const { trust, untrust } = yield* DomainTrust.DomainTrust

    const createProject = Effect.fn("Operator.createProject")(function* (given: string) {
      const name = yield* Effect.mapError(decodeName(given), () =>
        wrongUsage("The name of a project has 1 to 100 characters on one line.")
      )
      return yield* projects.create(name)
    })

    const setTrust = Effect.fn("Operator.setTrust")(function* (
      name: string,
      project: string | undefined,
      trusted: boolean
    ) {
      const id = project === undefined ? undefined : ProjectId.make(project)
      const domain = yield* Effect.mapError((trusted ? trust : untrust)(name, id), cannotTrust)
      return yield* Effect.orDie(encodeDomain(domain))
    })

    return Operator.of({ accounts, audit, projects, suspensions, createProject, setTrust })
  })
)

/** The DNS decides, also over names that a development server takes without asking it. */
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
    Layer.provide(Suspensions.layer),
    Layer.provide(Layer.mergeAll(Accounts.layer, DomainTrust.layer)),
    Layer.provide(Projects.layer),
    Layer.provide(KeyRing.layer),
    Layer.provide(storage),
    Layer.provide([
      NodeDnsResolver.layer({ servers: config.dnsServers }),
      Argon2.layer,
      NodeCrypto.layer,
      settings(config)
    ])
  )

/** The schema must be that of this program; nothing is migrated on the side. */
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
