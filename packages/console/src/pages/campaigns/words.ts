import { plural, wordsOf } from "../../app/Words.ts"
import { numberText } from "../../kit/Text.tsx"

const mails = (count: number) => plural(count, { one: "1 mail", other: `${numberText(count)} mails` })
const contacts = (count: number) => plural(count, { one: "1 contact", other: `${numberText(count)} contacts` })

export const english = {
  title: "Campaigns",
  views: "Campaigns as a list or a calendar",
  view: { list: "List", calendar: "Calendar" },
  monthBefore: "Month before",
  monthAfter: "Month after",
  thisMonth: "This month",
  inMonth: (count: number, month: string) =>
    plural(count, {
      one: `1 campaign is scheduled in ${month}.`,
      other: `${numberText(count)} campaigns are scheduled in ${month}.`
    }),
  calendarOf: (month: string, zone: string) => `Scheduled campaigns of ${month}, times in ${zone}`,
  calendarCut: (count: number) => `The calendar shows ${numberText(count)} campaigns at most.`,
  empty: "A campaign is one mail to many contacts.",
  newCampaign: "New campaign",
  create: "Create",
  search: "Name, subject or sender",
  name: "Name",
  state: "State",
  anyState: "Any state",
  states: {
    DRAFT: "Draft",
    SCHEDULED: "Scheduled",
    SENDING: "Sending",
    PAUSED: "Paused",
    SENT: "Sent",
    CANCELLED: "Cancelled"
  },
  audience: "Audience",
  audiences: { ALL: "All contacts", SEGMENT: "A segment", FILTERED: "A condition" },
  recipients: "Recipients",
  sent: "Sent",
  humanOpens: "Opens",
  humanClicks: "Clicks",
  changed: "Changed",
  start: "Start from",
  blank: "A plain letter",
  letter: "<p>Hello,</p>\n<p>write your mail here.</p>\n",

  edit: "Edit",
  duplicate: "Duplicate",
  remove: "Delete",
  removed: (name: string) => `${name} is deleted.`,
  content: "Content",
  delivery: "Delivery",
  checks: "Checks",
  from: "From",
  fromHelp: "The domain of this address must be verified.",
  fromName: "Sender's name",
  replyTo: "Reply to",
  subject: "Subject",
  subjectHelp: "Placeholders such as {{firstName}} are filled in for each contact.",
  preheader: "Preheader",
  preheaderHelp: "Inboxes show it beside the subject.",
  archive: "Show it in the public archive once it is sent",
  inArchive: "Archive",
  type: "Type",
  types: {
    MARKETING: "Marketing: subscribed contacts, with footer",
    HEADLESS: "Headless: subscribed contacts, without footer",
    TRANSACTIONAL: "Transactional: every contact"
  },
  format: "Format",
  formats: { HTML: "HTML", MJML: "MJML" },
  body: "Mail",
  preview: "Preview",
  segment: "Segment",
  chooseSegment: "Choose a segment",
  segmentName: (name: string, count: number) => `${name} (${numberText(count)})`,
  reaches: (count: number) => `${contacts(count)} will get the mail.`,
  notCounted: "Counting takes too long. The exact number is known when sending starts.",
  counting: "Counting.",
  leftOut: {
    unsubscribed: (count: number) =>
      plural(count, {
        one: "1 is left out: not subscribed.",
        other: `${numberText(count)} are left out: not subscribed.`
      }),
    topicUnsubscribed: (count: number) =>
      plural(count, {
        one: "1 is left out: does not take the topic.",
        other: `${numberText(count)} are left out: do not take the topic.`
      }),
    snoozed: (count: number) =>
      plural(count, {
        one: "1 is left out: wants no mail for a time.",
        other: `${numberText(count)} are left out: want no mail for a time.`
      }),
    suppressed: (count: number) =>
      plural(count, {
        one: "1 is left out: on the suppression list.",
        other: `${numberText(count)} are left out: on the suppression list.`
      })
  },
  when: "When",
  now: "Now",
  later: "At a time",
  time: "Time",
  timeHelp: (zone: string) => `In your time zone, ${zone}.`,

  saved: "Saved",
  saving: "Saving",
  unsaved: "Changed, not saved yet",
  kept: (fields: string) => `Not saved: ${fields} is missing. The text is kept in this browser.`,
  notSaved: "Not saved. The text is kept in this browser.",
  missing: (fields: string) => `Missing: ${fields}.`,
  conflict: "Somebody else changed this campaign meanwhile.",
  mine: "Mine",
  theirs: "Theirs",
  conflictAbout: "Compare both, then choose. The other version is not kept.",
  keepMine: "Keep mine",
  takeTheirs: "Take theirs",
  locked: "This campaign can no longer be changed.",
  openCampaign: "Open the campaign",

  senderOk: (domain: string) => `${domain} is verified.`,
  senderBad: (domain: string) => `${domain} is not verified.`,
  noDomain: "No domain is verified yet.",
  openDomains: "Open the domains",
  size: (kilobytes: string, limit: string) => `${kilobytes} kB of ${limit} kB`,
  clipped: "Mailbox providers cut off what is longer.",
  nobody: "Nobody would get the mail.",
  unset: (names: string) => `No value: ${names}.`,
  end: (time: string, rate: string, isSet: boolean) =>
    isSet
      ? `Ends about ${time}, at the rate of the project: ${rate} mails a second.`
      : `Ends about ${time}, at the pace of the last campaign: ${rate} mails a second.`,
  allSet: "Everything that is required is there.",

  sendTest: "Send test",
  testTitle: "Send a test",
  testHelp: "A contact, or a member of the project.",
  to: "To",
  send: "Send",
  testSent: (email: string) => `Sent to ${email}.`,
  checkAndSend: "Check and send",
  sendTitle: "Send this campaign",
  sendLeave: "Mail starts to leave 8 seconds after you press Send.",
  scheduleLeave: (time: string) => `Mail starts to leave ${time}.`,
  sends: (count: number | null) => (count === null ? "The campaign is sent." : `${mails(count)} will be sent.`),
  schedules: "The campaign will be scheduled.",
  undone: "Nothing was sent.",
  refused: (message: string) => `Not sent. ${message}`,
  starting: "Starts in a few seconds",
  preparing: "The mails are being prepared",

  progress: "Progress",
  progressText: (done: number, total: number) => `${numberText(done)} of ${numberText(total)}`,
  rate: "Rate",
  perSecond: (rate: string) => `${rate} mails a second`,
  timeLeft: "Time left",
  seconds: (count: number) => `~${plural(count, { one: "1 second", other: `${numberText(count)} seconds` })}`,
  minutes: (count: number) => `~${plural(count, { one: "1 minute", other: `${numberText(count)} minutes` })}`,
  pause: "Pause",
  resume: "Resume",
  paused: "The campaign is paused.",
  resumed: "The campaign goes on.",
  cancel: "Cancel campaign",
  cancelAbout: "Mail that waits is not sent. Mail that was sent stays sent. This cannot be undone.",
  cancelled: "The campaign is cancelled.",
  sendNow: "Send now",

  facts: "Facts",
  id: "Id",
  scheduledFor: "Scheduled for",
  started: "Started",
  ended: "Ended",
  reasons: {
    PROJECT_DISABLED: "The project was disabled.",
    DOMAIN_NOT_VERIFIED: "The domain of the sender is no longer verified.",
    BILLING_LIMIT: "The limit of the plan was reached."
  },
  funnel: "How far did it get?",
  inAll: "Recipients",
  delivered: "Delivered",
  opened: "Opened",
  clicked: "Clicked",
  trouble: "What did not arrive?",
  bounced: "Bounced",
  complained: "Complained",
  unsubscribed: "Unsubscribed",
  failed: "Failed",
  suppressed: "Suppressed",
  ambiguous: "Ambiguous",
  cancelledMails: "Cancelled",
  byMachines: "Opened by machines only",
  links: "Links",
  noLinks: "This mail has no links.",
  link: "Link",
  clicks: "Clicks",
  people: "People",
  whoClicked: (count: string, url: string) => `${count} clicked ${url}`,
  otherLinks: "Other links",
  providers: "Mailbox providers",
  provider: "Provider",
  deferred: "Deferred",
  noProviders: "No mail was tried yet.",
  address: "Address",
  reason: "Reason",
  leftOutReasons: {
    UNSUBSCRIBED: "Not subscribed",
    TOPIC_UNSUBSCRIBED: "Does not take the topic",
    SNOOZED: "Wants no mail for a time",
    QUIET_HOURS: "Quiet hours",
    FREQUENCY_CAP: "Got as much mail as allowed",
    HARD_BOUNCE: "Bounced before",
    COMPLAINT: "Complained before",
    MANUAL: "Suppressed by hand"
  },
  deletedContact: "(deleted contact)",
  searchRecipients: "Address",
  noRecipients: "The recipients appear when sending starts.",
  retryFailed: "Retry failed",
  retryAbout: (count: number) => `${mails(count)} will be tried again.`,
  includeAmbiguous: (count: number) => `Also ${mails(count)} of uncertain delivery. Recipients may get them twice.`,
  retried: (count: number) =>
    plural(count, { one: "1 mail is tried again.", other: `${count} mails are tried again.` }),
  followUp: "Follow up",
  followUpTitle: "Write to recipients again",
  who: "Who",
  whoReacted: {
    ALL: "Everybody to whom the mail left",
    NOT_OPENED: "Who did not open it",
    NOT_CLICKED: "Who did not click",
    OPENED: "Who opened it",
    CLICKED: "Who clicked"
  },
  recipientsOf: "Only recipients of",
  approval: "Approval",
  approvals: { NONE: "None", REQUESTED: "Asked for", APPROVED: "Approved", REJECTED: "Rejected" },
  requestApproval: "Ask for approval",
  approvalRequested: "The administrators were asked.",
  approve: "Approve",
  approved: "The campaign is approved.",
  reject: "Reject",
  rejectTitle: "Reject this campaign",
  rejected: "The campaign is rejected.",
  note: "Note",
  noteHelp: "Why. The author reads it.",
  print: "Print",
  csv: "CSV"
}

export const campaignWords = wordsOf(english, { de: () => import("./words.de.ts") })

export type CampaignWords = typeof english
