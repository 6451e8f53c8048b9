/** The places of the sidebar. A page that is not built yet has no place here. */
import {
  Activity,
  Ban,
  ChartColumn,
  Globe,
  House,
  Inbox,
  KeyRound,
  LayoutTemplate,
  ListFilter,
  type LucideIcon,
  Mail,
  Megaphone,
  Settings,
  ShieldCheck,
  SquarePen,
  Tags,
  Truck,
  Users,
  Webhook,
  Workflow,
  Zap
} from "lucide-react"
import { deployment } from "./Deployment.ts"

export interface Place {
  readonly id: keyof typeof import("./shellWords.ts").placeNames
  /** Below `/p/<project>`. */
  readonly path: string
  readonly icon: LucideIcon
  /** The second key after `g`. */
  readonly key?: string
  readonly isDevOnly?: boolean
  /** Part of the application that embeds the console. */
  readonly isServerOnly?: boolean
}

export interface PlaceGroup {
  readonly id: keyof typeof import("./shellWords.ts").groupNames
  readonly places: ReadonlyArray<Place>
}

export const placeGroups: ReadonlyArray<PlaceGroup> = [
  {
    id: "work",
    places: [
      { id: "overview", path: "/", icon: House, key: "o" },
      { id: "mails", path: "/mails", icon: Mail, key: "m" },
      { id: "campaigns", path: "/campaigns", icon: Megaphone, key: "c" },
      { id: "workflows", path: "/workflows", icon: Workflow, key: "w" },
      { id: "templates", path: "/templates", icon: LayoutTemplate, key: "t" },
      { id: "activity", path: "/activity", icon: Activity }
    ]
  },
  {
    id: "audience",
    places: [
      { id: "contacts", path: "/contacts", icon: Users, key: "a" },
      { id: "segments", path: "/segments", icon: ListFilter, key: "s" },
      { id: "topics", path: "/topics", icon: Tags },
      { id: "forms", path: "/forms", icon: SquarePen },
      { id: "privacyRequests", path: "/privacy-requests", icon: ShieldCheck },
      { id: "events", path: "/events", icon: Zap, key: "e" }
    ]
  },
  {
    id: "deliverability",
    places: [
      { id: "domains", path: "/domains", icon: Globe, key: "d" },
      { id: "providers", path: "/deliverability", icon: ChartColumn },
      { id: "suppressions", path: "/suppressions", icon: Ban }
    ]
  },
  {
    id: "developers",
    places: [
      { id: "keys", path: "/keys", icon: KeyRound },
      { id: "webhooks", path: "/webhooks", icon: Webhook },
      { id: "transports", path: "/transports", icon: Truck },
      { id: "mailbox", path: "/mailbox", icon: Inbox, isDevOnly: true }
    ]
  },
  {
    id: "project",
    places: [{ id: "settings", path: "/settings", icon: Settings }]
  }
]

/** Whether this deployment has the place. */
export const isShown = ({ isDevOnly, isServerOnly }: Place): boolean =>
  (!isDevOnly || deployment.dev) && (!isServerOnly || deployment.mode === "server")
