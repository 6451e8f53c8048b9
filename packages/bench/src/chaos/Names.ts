/** What happens in each scenario, in words. */
export const scenes = {
  race: "Several workers claim the same mails",
  worker_kills: "`kill -9` of a worker under load",
  windows: "`kill -9` in each of the eight windows between the states of a mail",
  campaign_kills: "`kill -9` of a worker during a campaign",
  workflow_kills: "`kill -9` of a worker while contacts go through a workflow",
  worker_restarts: "SIGTERM of a worker under load",
  takeovers: "`kill -9` of the only worker; the next one takes over its mail",
  blocked_loop: "A worker's event loop is blocked for longer than its lease",
  worker_freezes: "SIGSTOP of a worker for longer than its lease, SIGCONT when others have its mail",
  api_kills: "`kill -9` of the API under load",
  batch_kills: "`kill -9` of the API around the commits of batches, which clients repeat with `replay`",
  submission_kills: "`kill -9` of the API around the final dots of mail submitted by SMTP, which clients repeat",
  due_kills: "`kill -9` of a worker at the second at which scheduled mail is due",
  publish_races: "Two processes publish one draft of a template, while others change it and send mail with it",
  database_outages: "PostgreSQL stops abruptly, without a checkpoint, under load",
  lost_commits: "The connection to the database breaks during a commit",
  slow_database: "The connection to the database is slow, or delivers nothing for a while",
  disk_full: "The disk of the database is full for a while",
  killed_migrations: "`kill -9` of a server while it creates its tables",
  power_cut: "The embedded database stops abruptly, and its folder is opened again",
  peer_breaks: "The connection to the peer breaks at any stage of a mail",
  peer_storms: "The peer defers every mail or refuses every connection, and later accepts all",
  strange_peers: "The peer is slow, sends invalid replies, or has no trusted TLS",
  key_storms: "Many requests arrive at one moment, with one key or for the same resources",
  webhook_peers: "Webhook endpoints fail, redirect, hang, or send an endless answer",
  slow_sockets: "Connections from many addresses never complete their request body",
  large_bodies: "Many requests of several megabytes arrive at once, some of them too large or invalid",
  backlog: "New mail is sent while the table has this many other mails, sent or not due yet",
  poison_mail: "Mails in the queue cannot be read, built or sent",
  replayed_notices: "Each delivery report arrives three times, in any order",
  clock_jumps: "The wall clock of a server jumps an hour forward or back under load",
  slow_transports:
    "The transport of a project hangs, refuses, defers or gives wrong replies, while other projects send",
  flapping_dns: "DNS servers fail or do not answer while a verified domain is checked"
}

export type Name = keyof typeof scenes
