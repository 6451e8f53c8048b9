import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { oneOf, searchOf, someOf, text } from "../../app/search.ts"
import { emailStatuses } from "../../kit/EmailState.tsx"

export const mailsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/mails",
  validateSearch: searchOf({
    q: text,
    state: someOf(...emailStatuses),
    source: oneOf("TRANSACTIONAL", "CAMPAIGN", "WORKFLOW"),
    mode: oneOf("TEST", "ALL"),
    tag: text,
    campaign: text,
    workflow: text,
    template: text,
    contact: text,
    group: text,
    days: oneOf("7", "30", "90")
  }),
  component: lazyRouteComponent(() => import("./MailsPage.tsx"), "MailsPage")
})

export const scheduledRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/mails/scheduled",
  component: lazyRouteComponent(() => import("./ScheduledPage.tsx"), "ScheduledPage")
})

export const mailRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/mails/$mailId",
  validateSearch: searchOf({ tab: oneOf("timeline", "preview", "text", "source", "headers", "attempts", "raw") }),
  component: lazyRouteComponent(() => import("./MailPage.tsx"), "MailPage")
})

export const mailboxRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/mailbox",
  validateSearch: searchOf({ q: text, id: text }),
  component: lazyRouteComponent(() => import("../mailbox/MailboxPage.tsx"), "MailboxPage")
})

export const mailRoutes = [mailsRoute, scheduledRoute, mailRoute, mailboxRoute] as const
