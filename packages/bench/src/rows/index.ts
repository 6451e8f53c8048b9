/** All rows, in the order of the plan. Add a new row here. */
import type { Row } from "../Row.ts"
import * as A1 from "./A1UpsertContact.ts"
import * as A2 from "./A2ListContacts.ts"
import * as A3 from "./A3SearchContacts.ts"
import * as A4 from "./A4Segments.ts"
import * as A5 from "./A5TrackedSegments.ts"
import * as A6 from "./A6Import.ts"
import * as A7 from "./A7BulkUnsubscribe.ts"
import * as A8 from "./A8Memory.ts"
import * as A9 from "./A9QueryContacts.ts"
import * as C1 from "./C1Campaign.ts"
import * as C2 from "./C2Audience.ts"
import * as C3 from "./C3BesideCampaign.ts"
import * as C4 from "./C4Stop.ts"
import * as C5 from "./C5Tracking.ts"
import * as C6 from "./C6Notifications.ts"
import * as C7 from "./C7SlowPeer.ts"
import * as C8 from "./C8Totals.ts"
import * as C9 from "./C9PolicedCampaign.ts"
import * as C10 from "./C10Providers.ts"
import * as C11 from "./C11Warmup.ts"
import * as C12 from "./C12TimedAudience.ts"
import * as D1 from "./D1Slowdown.ts"
import * as D2 from "./D2DmarcReport.ts"
import * as F1 from "./F1SendAccepted.ts"
import * as F2 from "./F2SendEmbedded.ts"
import * as F3 from "./F3Track.ts"
import * as F4 from "./F4Delivery.ts"
import * as F5 from "./F5AcceptToPeer.ts"
import * as F6 from "./F6Start.ts"
import * as F7 from "./F7Authenticated.ts"
import * as F8 from "./F8Batch.ts"
import * as F9 from "./F9Scheduled.ts"
import * as F10 from "./F10Submission.ts"
import * as F11 from "./F11SendRich.ts"
import * as F12 from "./F12Mjml.ts"
import * as G1 from "./G1Goals.ts"
import * as N1 from "./N1Timeseries.ts"
import * as N2 from "./N2Activity.ts"
import * as N3 from "./N3Providers.ts"
import * as N4 from "./N4CampaignReport.ts"
import * as N5 from "./N5WorkflowReport.ts"
import * as P1 from "./P1TopicAudience.ts"
import * as P2 from "./P2Topics.ts"
import * as P3 from "./P3UpsertConsent.ts"
import * as P4 from "./P4PreferencePage.ts"
import * as P5 from "./P5Ingest.ts"
import * as P6 from "./P6BulkByFilter.ts"
import * as P7 from "./P7EventFilters.ts"
import * as P8 from "./P8FormToPeer.ts"
import * as S1 from "./S1Workers.ts"
import * as S2 from "./S2Dispatchers.ts"
import * as S3 from "./S3Sweeps.ts"
import * as S4 from "./S4Events.ts"
import * as S5 from "./S5Snapshot.ts"
import * as S6 from "./S6WriteAhead.ts"
import * as U1 from "./U1FirstPaint.ts"
import * as U2 from "./U2NextPage.ts"
import * as U3 from "./U3Interactions.ts"
import * as U4 from "./U4Shifts.ts"
import * as U5 from "./U5Answers.ts"
import * as U6 from "./U6Heap.ts"
import * as U7 from "./U7Live.ts"
import * as U8 from "./U8Requests.ts"
import * as U9 from "./U9Import.ts"
import * as W1 from "./W1Dispatch.ts"
import * as W2 from "./W2Transitions.ts"
import * as W3 from "./W3Sleepers.ts"
import * as W4 from "./W4Track.ts"
import * as W5 from "./W5Storm.ts"
import * as W6 from "./W6Migration.ts"
import * as W7 from "./W7TestRun.ts"
import * as W8 from "./W8Exits.ts"

export const rows: ReadonlyArray<Row> = [
  F1.row,
  F2.row,
  F3.row,
  F4.row,
  F5.row,
  F6.row,
  F7.row,
  F8.row,
  F9.row,
  F10.row,
  F11.row,
  F12.row,
  A1.row,
  A2.row,
  A3.row,
  A4.row,
  A5.row,
  A6.row,
  A7.row,
  A8.row,
  A9.row,
  C1.row,
  C2.row,
  C3.row,
  C4.row,
  C5.row,
  C6.row,
  C7.row,
  C8.row,
  C9.row,
  C10.row,
  C11.row,
  C12.row,
  D1.row,
  D2.row,
  G1.row,
  N1.row,
  N2.row,
  N3.row,
  N4.row,
  N5.row,
  P1.row,
  P2.row,
  P3.row,
  P4.row,
  P5.row,
  P6.row,
  P7.row,
  P8.row,
  S1.row,
  S2.row,
  S3.row,
  S4.row,
  S5.row,
  S6.row,
  U1.row,
  U2.row,
  U3.row,
  U4.row,
  U5.row,
  U6.row,
  U7.row,
  U8.row,
  U9.row,
  W1.row,
  W2.row,
  W3.row,
  W4.row,
  W5.row,
  W6.row,
  W7.row,
  W8.row
]
