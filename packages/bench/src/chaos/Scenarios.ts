/** The scenarios of the long form, by name, with the numbers of one run. */
import type { Effect, Scope } from "effect"
import type { SqlClient } from "effect/sql"
import * as ApiKills from "./ApiKills.ts"
import * as Backlog from "./Backlog.ts"
import * as BlockedLoop from "./BlockedLoop.ts"
import * as BulkKills from "./BulkKills.ts"
import * as CampaignKills from "./CampaignKills.ts"
import * as ClockJumps from "./ClockJumps.ts"
import * as Cluster from "./Cluster.ts"
import * as ConsentKills from "./ConsentKills.ts"
import * as DueKills from "./DueKills.ts"
import * as ErasureKills from "./ErasureKills.ts"
import * as ExperimentKills from "./ExperimentKills.ts"
import * as Failovers from "./Failovers.ts"
import * as FlappingDns from "./FlappingDns.ts"
import * as Freezes from "./Freezes.ts"
import * as FullDisk from "./FullDisk.ts"
import * as IngestKills from "./IngestKills.ts"
import type { Installation } from "./Installation.ts"
import * as KeyStorms from "./KeyStorms.ts"
import * as KilledMigrations from "./KilledMigrations.ts"
import * as LargeBodies from "./LargeBodies.ts"
import * as LoginFlood from "./LoginFlood.ts"
import * as LostCommits from "./LostCommits.ts"
import * as MigrationKills from "./MigrationKills.ts"
import type { Name } from "./Names.ts"
import * as OnlineMigration from "./OnlineMigration.ts"
import * as Outage from "./Outage.ts"
import * as PeerBreaks from "./PeerBreaks.ts"
import * as PeerStorms from "./PeerStorms.ts"
import * as PoisonMail from "./PoisonMail.ts"
import * as PowerCut from "./PowerCut.ts"
import * as PublishRaces from "./PublishRaces.ts"
import * as Race from "./Race.ts"
import * as RandomEnds from "./RandomEnds.ts"
import * as ReplayedNotices from "./ReplayedNotices.ts"
import * as ShapingKills from "./ShapingKills.ts"
import * as SlowDatabase from "./SlowDatabase.ts"
import * as SlowSockets from "./SlowSockets.ts"
import * as SlowTransports from "./SlowTransports.ts"
import * as StrangePeers from "./StrangePeers.ts"
import * as Takeover from "./Takeover.ts"
import type { Verdict } from "./Verdict.ts"
import * as WarmupKills from "./WarmupKills.ts"
import * as WebhookPeers from "./WebhookPeers.ts"
import * as Windows from "./Windows.ts"
import * as WorkflowKills from "./WorkflowKills.ts"

/** The usual numbers. */
export const usual = {
  mails: 2_000,
  /** Of campaigns and workflows. */
  contacts: 4_000,
  workers: 2,
  racers: 4,
  /** Of workers, in each of four scenarios. */
  kills: 20,
  restarts: 100,
  freezes: 10,
  /** Each of eight windows, this often. */
  windows: 3,
  "peer-breaks": 200,
  storms: 12,
  "strange-peers": 24,
  "key-storms": 10,
  "webhook-rounds": 3,
  "slow-sockets": 510,
  "socket-rounds": 3,
  /** A second. */
  logins: 1_000,
  "large-crowds": 2,
  poisons: 12,
  backlog: 200_000,
  "killed-migrations": 10,
  "migrate-kills": 20,
  /** Mails, and as many events. */
  "migrate-rows": 100_000,
  "version-kills": 10,
  "experiment-kills": 10,
  "api-kills": 20,
  "batch-kills": 20,
  "submission-kills": 20,
  "due-kills": 20,
  "erasure-kills": 10,
  /** Each of fourteen changes, this often. */
  "consent-kills": 2,
  "bulk-kills": 20,
  "bulk-contacts": 100_000,
  "ingest-kills": 20,
  "publish-races": 20,
  outages: 5,
  "outage-seconds": 2,
  failovers: 5,
  "async-failovers": 3,
  commits: 50,
  stalls: 10,
  "full-disks": 1,
  "power-cuts": 5,
  notices: 500,
  jumps: 20,
  flaps: 20,
  transports: 8,
  takeovers: 1,
  "blocked-seconds": 45
}

/** For the tables of the README. */
export const long: Numbers = {
  ...usual,
  contacts: 20_000,
  kills: 150,
  freezes: 30,
  windows: 10,
  "peer-breaks": 1_000,
  storms: 30,
  "strange-peers": 48,
  "key-storms": 30,
  "webhook-rounds": 6,
  "socket-rounds": 6,
  "large-crowds": 4,
  poisons: 30,
  backlog: 5_000_000,
  "killed-migrations": 50,
  "migrate-rows": 10_000_000,
  "version-kills": 50,
  "experiment-kills": 50,
  "api-kills": 100,
  "batch-kills": 100,
  "submission-kills": 100,
  "due-kills": 100,
  "erasure-kills": 50,
  "consent-kills": 10,
  "bulk-kills": 50,
  "ingest-kills": 100,
  "publish-races": 100,
  outages: 30,
  failovers: 50,
  "async-failovers": 10,
  commits: 300,
  stalls: 30,
  "full-disks": 5,
  "power-cuts": 20,
  notices: 3_000,
  jumps: 100,
  flaps: 60,
  transports: 24,
  takeovers: 3
}

export type Numbers = { readonly [name in keyof typeof usual]: number }

export interface Scenario {
  /** Also the name of its database. */
  readonly name: Name
  /** Kills, stops, or other faults; 0 leaves the scenario out. */
  readonly faults: number
  readonly run: (
    cluster: Cluster.Cluster
  ) => Effect.Effect<Verdict, never, Installation | Scope.Scope | SqlClient.SqlClient>
  /** What it needs of the machine; undefined if it needs nothing special. */
  readonly needs?: { readonly what: string; readonly isThere: Effect.Effect<boolean> }
}

/** The seed determines all random choices. */
export const scenarios = (seed: string, numbers: Numbers): ReadonlyArray<Scenario> => {
  const { commits, contacts, flaps, freezes, jumps, kills, mails, notices, outages, racers, restarts, stalls } = numbers
  const { storms, takeovers, workers } = numbers
  const load = { mails, seed, workers }
  const audience = { seed, workers, contacts, kills }
  return [
    { name: "race", faults: racers, run: () => Race.race({ mails, workers: racers }) },
    { name: "worker_kills", faults: kills, run: () => RandomEnds.kills({ ...load, ends: kills }) },
    { name: "campaign_kills", faults: kills, run: () => CampaignKills.kills(audience) },
    { name: "warmup_kills", faults: kills, run: () => WarmupKills.kills(audience) },
    { name: "shaping_kills", faults: kills, run: () => ShapingKills.kills(audience) },
    { name: "workflow_kills", faults: kills, run: () => WorkflowKills.kills(audience) },
    { name: "worker_restarts", faults: restarts, run: () => RandomEnds.restarts({ ...load, ends: restarts }) },
    {
      name: "windows",
      faults: numbers.windows * Windows.windows,
      run: () => Windows.kills({ seed, rounds: numbers.windows })
    },
    { name: "worker_freezes", faults: freezes, run: () => Freezes.freezes({ ...load, ends: freezes }) },
    {
      name: "peer_breaks",
      faults: numbers["peer-breaks"],
      run: () => PeerBreaks.breaks({ ...load, breaks: numbers["peer-breaks"] })
    },
    { name: "peer_storms", faults: storms, run: () => PeerStorms.blow({ ...load, storms }) },
    {
      name: "strange_peers",
      faults: numbers["strange-peers"],
      run: () => StrangePeers.meet({ ...load, peers: numbers["strange-peers"] })
    },
    {
      name: "key_storms",
      faults: 2 * numbers["key-storms"],
      run: () => KeyStorms.rage({ seed, storms: numbers["key-storms"] })
    },
    {
      name: "webhook_peers",
      faults: numbers["webhook-rounds"] * WebhookPeers.strangers,
      run: () => WebhookPeers.meet({ seed, mails, rounds: numbers["webhook-rounds"], isPatient: true })
    },
    {
      name: "large_bodies",
      faults: numbers["large-crowds"] * LargeBodies.crowdSize,
      run: () => LargeBodies.crowd({ seed, crowds: numbers["large-crowds"] }),
      needs: { what: "a system that reports the memory of a process", isThere: LargeBodies.isMeasured }
    },
    {
      name: "slow_sockets",
      faults: numbers["slow-sockets"],
      run: () =>
        SlowSockets.hang({
          sockets: numbers["slow-sockets"],
          rounds: numbers["socket-rounds"],
          seconds: 10,
          perSecond: 200,
          most: 1.3
        })
    },
    {
      name: "login_flood",
      faults: numbers.logins,
      run: () =>
        LoginFlood.rage({
          logins: numbers.logins,
          rounds: numbers["socket-rounds"],
          seconds: 10,
          perSecond: 200,
          // The logins, their hashes and the others share the cores of this machine.
          most: 10
        })
    },
    {
      name: "poison_mail",
      faults: numbers.poisons,
      run: () => PoisonMail.swallow({ ...load, poisons: numbers.poisons })
    },
    {
      name: "backlog",
      faults: numbers.backlog,
      run: () => Backlog.wait({ ...load, mails: Math.min(mails, 1_000), backlog: numbers.backlog })
    },
    {
      name: "killed_migrations",
      faults: numbers["killed-migrations"],
      run: ({ database }) => KilledMigrations.kills({ seed, kills: numbers["killed-migrations"], database })
    },
    {
      name: "migrate",
      faults: numbers["migrate-kills"],
      run: ({ database }) =>
        OnlineMigration.kills({
          seed,
          rows: numbers["migrate-rows"],
          kills: numbers["migrate-kills"],
          most: 200,
          database
        })
    },
    {
      name: "version_kills",
      faults: numbers["version-kills"],
      run: () => MigrationKills.kills({ seed, executions: contacts, kills: numbers["version-kills"] })
    },
    {
      name: "experiment_kills",
      faults: numbers["experiment-kills"],
      run: () =>
        ExperimentKills.kills({ seed, contacts: Math.min(contacts, 2_000), kills: numbers["experiment-kills"] })
    },
    { name: "takeovers", faults: takeovers, run: () => Takeover.takeovers(takeovers) },
    {
      name: "blocked_loop",
      faults: Math.min(1, numbers["blocked-seconds"]),
      run: () => BlockedLoop.block({ mails: 100, seconds: numbers["blocked-seconds"] })
    },
    {
      name: "api_kills",
      faults: numbers["api-kills"],
      run: () => ApiKills.kills({ ...load, kills: numbers["api-kills"] })
    },
    {
      name: "batch_kills",
      faults: numbers["batch-kills"],
      run: () => ApiKills.ofBatches({ ...load, kills: numbers["batch-kills"] })
    },
    {
      name: "submission_kills",
      faults: numbers["submission-kills"],
      run: () => ApiKills.ofSubmissions({ ...load, kills: numbers["submission-kills"] })
    },
    {
      name: "due_kills",
      faults: numbers["due-kills"],
      run: () => DueKills.kills({ seed, workers, kills: numbers["due-kills"], mails: 100 })
    },
    {
      name: "erasure_kills",
      faults: numbers["erasure-kills"],
      run: () => ErasureKills.kills({ seed, kills: numbers["erasure-kills"] })
    },
    {
      name: "consent_kills",
      faults: numbers["consent-kills"] * ConsentKills.faultsInRound,
      run: () => ConsentKills.kills({ seed, rounds: numbers["consent-kills"] })
    },
    {
      name: "bulk_kills",
      faults: numbers["bulk-kills"],
      run: () => BulkKills.kills({ seed, contacts: numbers["bulk-contacts"], kills: numbers["bulk-kills"] })
    },
    {
      name: "ingest_kills",
      faults: numbers["ingest-kills"],
      run: () => IngestKills.kills({ seed, kills: numbers["ingest-kills"] })
    },
    {
      name: "publish_races",
      faults: numbers["publish-races"],
      run: () => PublishRaces.race({ seed, races: numbers["publish-races"] })
    },
    {
      name: "database_outages",
      faults: outages,
      run: (cluster) =>
        Outage.outages(cluster, { ...load, outages, downMilliseconds: numbers["outage-seconds"] * 1000 })
    },
    {
      name: "failovers",
      faults: numbers.failovers,
      run: () => Failovers.failovers({ ...load, failovers: numbers.failovers })
    },
    {
      name: "failovers_async",
      faults: numbers["async-failovers"],
      run: () => Failovers.failovers({ ...load, failovers: numbers["async-failovers"], lagMilliseconds: 100 })
    },
    { name: "lost_commits", faults: commits, run: () => LostCommits.cuts({ seed, mails, cuts: commits }) },
    { name: "slow_database", faults: stalls, run: () => SlowDatabase.stalls({ ...load, stalls }) },
    {
      name: "disk_full",
      faults: numbers["full-disks"],
      run: () => FullDisk.fullDisk({ seed, mails, fullMilliseconds: 3_000, times: numbers["full-disks"] }),
      needs: { what: "the right to mount a disk in memory", isThere: Cluster.canMount }
    },
    {
      name: "power_cut",
      faults: numbers["power-cuts"],
      run: () => PowerCut.cuts({ seed, cuts: numbers["power-cuts"] })
    },
    { name: "replayed_notices", faults: notices, run: () => ReplayedNotices.replay({ seed, mails: notices }) },
    { name: "clock_jumps", faults: jumps, run: () => ClockJumps.jumps({ ...load, jumps }) },
    {
      name: "slow_transports",
      faults: numbers.transports,
      run: () => SlowTransports.run({ seed, faults: numbers.transports, mails: 200, others: 200, most: 1.3, slack: 50 })
    },
    { name: "flapping_dns", faults: flaps, run: () => FlappingDns.flaps({ seed, flaps }) }
  ]
}
