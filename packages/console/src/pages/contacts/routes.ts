import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { projectRoute } from "../../app/routes.ts"
import { json, oneOf, searchOf, text } from "../../app/search.ts"

export const contactsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/contacts",
  validateSearch: searchOf({
    q: text,
    state: oneOf("subscribed", "unsubscribed"),
    segment: text,
    condition: json,
    sort: oneOf("createdAt", "updatedAt", "email"),
    dir: oneOf("asc", "desc"),
    columns: text
  }),
  component: lazyRouteComponent(() => import("./ContactsPage.tsx"), "ContactsPage")
})

export const importRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/contacts/import",
  validateSearch: searchOf({ group: text }),
  component: lazyRouteComponent(() => import("./ImportPage.tsx"), "ImportPage")
})

export const fieldsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/contacts/fields",
  validateSearch: searchOf({ field: text }),
  component: lazyRouteComponent(() => import("./FieldsPage.tsx"), "FieldsPage")
})

export const contactRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/contacts/$contactId",
  validateSearch: searchOf({
    tab: oneOf("events", "preferences", "consent", "segments", "executions"),
    /** The record of consent that is open. */
    record: text
  }),
  component: lazyRouteComponent(() => import("./ContactPage.tsx"), "ContactPage")
})

export const contactRoutes = [contactsRoute, importRoute, fieldsRoute, contactRoute] as const
