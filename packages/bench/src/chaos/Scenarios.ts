/** The scenarios of the long form, by name, with the numbers of one run. */
import type { Effect, Scope } from "effect"
import type { SqlClient } from "effect/sql"
import * as ApiKills from "./ApiKills.ts"
import * as BlockedLoop from "./BlockedLoop.ts"
import * as CampaignKills from "./CampaignKills.ts"
import type { Cluster } from "./Cluster.ts"
import * as Freezes from "./Freezes.ts"
import type { Installation } from "./Installation.ts"
import * as Outage from "./Outage.ts"
import * as PeerBreaks from "./PeerBreaks.ts"
import * as Race from "./Race.ts"
import * as RandomEnds from "./RandomEnds.ts"
import * as Takeover from "./Takeover.ts"
import type { Verdict } from "./Verdict.ts"
import * as WorkflowKills from "./WorkflowKills.ts"

export interface Numbers {
  readonly seed: string
  readonly mails: number
  /** Of campaigns and workflows. */
  readonly contacts: number
  readonly workers: number
  readonly kills: number
  readonly restarts: number
  readonly apiKills: number
  readonly freezes: number
  readonly peerBreaks: number
  readonly racers: number
  readonly outages: number
  readonly outageSeconds: number
  readonly takeovers: number
  readonly blockedSeconds: number
}

export interface Scenario {
  /** Name of its database too. */
  readonly name: string
  /** Kills, stops or outages; 0: it is left out. */
  readonly faults: number
  readonly run: (cluster: Cluster) => Effect.Effect<Verdict, never, Installation | Scope.Scope | SqlClient.SqlClient>
}

export const scenarios = (numbers: Numbers): ReadonlyArray<Scenario> => {
  const { apiKills, blockedSeconds, contacts, freezes, kills, outages, outageSeconds, peerBreaks, racers, restarts } =
    numbers
  const { mails, seed, takeovers, workers } = numbers
  const load = { mails, seed, workers }
  return [
    { name: "race", faults: racers, run: () => Race.race({ mails: load.mails, workers: racers }) },
    { name: "worker_kills", faults: kills, run: () => RandomEnds.kills({ ...load, ends: kills }) },
    {
      name: "campaign_kills",
      faults: kills,
      run: () => CampaignKills.kills({ seed: load.seed, workers: load.workers, contacts, kills })
    },
    {
      name: "workflow_kills",
      faults: kills,
      run: () => WorkflowKills.kills({ seed: load.seed, workers: load.workers, contacts, kills })
    },
    { name: "worker_restarts", faults: restarts, run: () => RandomEnds.restarts({ ...load, ends: restarts }) },
    { name: "worker_freezes", faults: freezes, run: () => Freezes.freezes({ ...load, ends: freezes }) },
    { name: "peer_breaks", faults: peerBreaks, run: () => PeerBreaks.breaks({ ...load, breaks: peerBreaks }) },
    { name: "takeovers", faults: takeovers, run: () => Takeover.takeovers(takeovers) },
    {
      name: "blocked_loop",
      faults: Math.min(1, blockedSeconds),
      run: () => BlockedLoop.block({ mails: 100, seconds: blockedSeconds })
    },
    { name: "api_kills", faults: apiKills, run: () => ApiKills.kills({ ...load, kills: apiKills }) },
    {
      name: "database_outages",
      faults: outages,
      run: (cluster) => Outage.outages(cluster, { ...load, outages, downMilliseconds: outageSeconds * 1000 })
    }
  ]
}
