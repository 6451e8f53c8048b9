/** What happens in each scenario, in words. */
export const scenes = {
  race: "Workers race for the same mails",
  worker_kills: "`kill -9` of a worker under load",
  windows: "`kill -9` in each of the eight windows in the life of a mail",
  campaign_kills: "`kill -9` of a worker in the middle of a campaign",
  workflow_kills: "`kill -9` of a worker while contacts go through a workflow",
  worker_restarts: "SIGTERM of a worker under load",
  takeovers: "`kill -9` of the only worker; the next takes over by itself",
  blocked_loop: "A worker's event loop stands still for longer than its lease",
  worker_freezes: "SIGSTOP of a worker beyond its lease, SIGCONT when others have its mail",
  api_kills: "`kill -9` of the API under load",
  database_outages: "PostgreSQL stopped at once, without a checkpoint, under load",
  lost_commits: "The connection to the database ends in the middle of a commit",
  slow_database: "The wire to the database takes its time, or swallows everything for a while",
  disk_full: "The disk of the database is full for a while",
  killed_migrations: "`kill -9` of a server while it makes its tables",
  power_cut: "The folder of the embedded database stops in the middle of its work, and is opened",
  peer_breaks: "The connection to the peer breaks at any stage of a mail",
  peer_storms: "The peer says no for now to everybody, or takes nobody in, and later takes all",
  strange_peers: "The peer takes its time, talks nonsense, or has no TLS that can be trusted",
  key_storms: "Crowds come at one moment, with one key or to change the same things",
  webhook_peers: "Endpoints of webhooks fail, redirect, hang, or send without end",
  slow_sockets: "Sockets of many addresses hold a body that they never finish",
  large_bodies: "Crowds of requests of many megabytes, some of them too large or nonsense",
  backlog: "So many mails are in the table, sent or not due yet, when new ones come",
  poison_mail: "Mails in the queue cannot be read, built or handed over",
  replayed_notices: "Reports of what became of mail come three times each, in any order",
  clock_jumps: "The wall clock of a server jumps an hour forth or back under load",
  slow_transports: "The transport of a project hangs, refuses or defers beside the mail of others",
  flapping_dns: "Name servers fail or stay silent while a verified domain is checked"
}

export type Name = keyof typeof scenes
