/** The frame around the pages of a project: navigation, account, bands, and the keys that lead to places. */
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router"
import { ChevronsUpDown, CircleUser, Ellipsis, Search } from "lucide-react"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { type Action, Menu } from "../kit/Menu.tsx"
import { Bands } from "./Bands.tsx"
import { deployment } from "./Deployment.ts"
import { NotFoundPage } from "./ErrorPage.tsx"
import { Keys, type Overlay } from "./Keys.tsx"
import { useLiveStream } from "./Live.ts"
import { isShown, type Place, placeGroups } from "./navigation.ts"
import { prefer, usePreferences } from "./Preferences.ts"
import { OpenedProvider, useOpened } from "./Project.tsx"
import { projectRoute } from "./routes.ts"
import styles from "./Shell.module.css"
import { signOut } from "./Start.ts"
import { shellWords } from "./shellWords.ts"
import { languages } from "./Words.ts"

const Dialog = lazy(async () => ({ default: (await import("../kit/Dialog.tsx")).Dialog }))

const groups = placeGroups
  .map((group) => ({ ...group, places: group.places.filter(isShown) }))
  .filter(({ places }) => places.length > 0)

/** The path below the project: `/mails/42` of `/p/<id>/mails/42`. */
const useInnerPath = () =>
  useRouterState({ select: ({ location }) => location.pathname.replace(/^\/p\/[^/]+/, "") || "/" })

const PlaceLink = ({ place, className }: { readonly place: Place; readonly className: string | undefined }) => {
  const { places } = shellWords()
  const { project } = useOpened()
  const Icon = place.icon
  const name = places[place.id]
  return (
    <Link
      to={`/p/$projectId${place.path === "/" ? "" : place.path}` as "/p/$projectId"}
      params={{ projectId: project.id }}
      className={className}
      activeOptions={{ exact: place.path === "/", includeSearch: false }}
      title={name}
    >
      <Icon size={16} aria-hidden />
      <span className={styles.navName}>{name}</span>
    </Link>
  )
}

const Groups = () => {
  const { groups: names } = shellWords()
  return (
    <div className={styles.groups}>
      {groups.map(({ id, places }) => (
        <div key={id}>
          {id !== "work" && <div className={styles.groupName}>{names[id]}</div>}
          {places.map((place) => (
            <PlaceLink key={place.id} place={place} className={styles.nav} />
          ))}
        </div>
      ))}
    </div>
  )
}

const ProjectSwitch = () => {
  const { switchProject, allProjects } = shellWords()
  const { projects, project } = useOpened()
  const navigate = useNavigate()
  const inner = useInnerPath()
  /** The same page of the other project, without a record. */
  const first = inner.split("/").slice(0, 2).join("/")
  const actions: ReadonlyArray<Action> = [
    ...projects.map(({ id, name }) => ({
      id,
      name,
      onAction: () => void navigate({ to: `/p/${id}${first === "/" ? "" : first}` as "/" })
    })),
    ...(deployment.mode === "server"
      ? [{ id: "all", name: allProjects, isLast: true, onAction: () => void navigate({ to: "/projects" }) }]
      : [])
  ]
  return (
    <Menu label={`${switchProject}: ${project.name}`} actions={actions} className={styles.switch}>
      <span className={styles.switchName}>{project.name}</span>
      <ChevronsUpDown size={14} aria-hidden />
    </Menu>
  )
}

const AccountMenu = () => {
  const words = shellWords()
  const { language, scheme, zone } = usePreferences()
  const navigate = useNavigate()
  const { user } = useOpened()
  const choices = ["browser", "en", "de"] as const
  const schemes = ["system", "light", "dark"] as const
  const zones = ["browser", "project", "utc"] as const
  const following = <A,>(all: ReadonlyArray<A>, one: A): A => all[(all.indexOf(one) + 1) % all.length] ?? one
  const isServer = deployment.mode === "server"
  return (
    <Menu
      label={words.account}
      actions={[
        ...(isServer
          ? [
              {
                id: "account",
                name: words.yourAccount,
                help: user.email,
                onAction: () => void navigate({ to: "/account" })
              }
            ]
          : []),
        {
          id: "language",
          name: words.language,
          help: language === "browser" ? words.asBrowser : languages[language],
          onAction: () => prefer({ language: following(choices, language) })
        },
        {
          id: "scheme",
          name: words.scheme,
          help: words.schemes[scheme],
          onAction: () => prefer({ scheme: following(schemes, scheme) })
        },
        {
          id: "zone",
          name: words.zone,
          help: words.zones[zone],
          onAction: () => prefer({ zone: following(zones, zone) })
        },
        ...(isServer
          ? [{ id: "docs", name: words.docs, onAction: () => void window.open("/docs", "_blank", "noopener") }]
          : []),
        ...(isServer ? [{ id: "out", name: words.signOut, isLast: true, onAction: () => void signOut() }] : [])
      ]}
    >
      <CircleUser size={18} aria-hidden />
    </Menu>
  )
}

/** On a phone the first places stand at the bottom, the others in a sheet. */
const BottomBar = () => {
  const { more, main } = shellWords()
  const inner = useInnerPath()
  /** The sheet is open for the page on which it was opened, so that a link in it closes it. */
  const [openedAt, setOpenedAt] = useState<string>()
  const isOpen = openedAt === inner
  const setOpen = (open: boolean) => setOpenedAt(open ? inner : undefined)
  const wanted = ["overview", "mails", "campaigns", "contacts"]
  const first = groups.flatMap(({ places }) => places).filter(({ id }) => wanted.includes(id))
  return (
    <nav className={styles.bottom} aria-label={more}>
      {first.map((place) => (
        <PlaceLink key={place.id} place={place} className={styles.bottomItem} />
      ))}
      <button type="button" className={styles.bottomItem} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Ellipsis size={16} aria-hidden />
        {more}
      </button>
      {isOpen && (
        <Suspense>
          <Dialog title={main} isOpen onOpenChange={setOpen}>
            <ProjectSwitch />
            <Groups />
          </Dialog>
        </Suspense>
      )}
    </nav>
  )
}

const Frame = () => {
  const { skip, main, search } = shellWords()
  const { project } = useOpened()
  const [opened, setOpened] = useState<Overlay>()
  useLiveStream(project.id)
  return (
    <div className={styles.frame}>
      <a href="#content" className={styles.skip}>
        {skip}
      </a>
      <nav className={styles.side} aria-label={main}>
        <ProjectSwitch />
        <Groups />
      </nav>
      <div className={styles.main}>
        <header className={styles.top}>
          <span className={styles.brand}>{project.name}</span>
          <button type="button" className={styles.search} aria-haspopup="dialog" onClick={() => setOpened("palette")}>
            <Search size={14} aria-hidden />
            {search}
            <kbd aria-hidden>{/Mac|iPhone|iPad/.test(navigator.platform) ? "⌘ K" : "Ctrl K"}</kbd>
          </button>
          <AccountMenu />
        </header>
        <Bands />
        <main id="content" tabIndex={-1} className={styles.content}>
          <Outlet />
        </main>
      </div>
      <BottomBar />
      <Keys opened={opened} onOpen={setOpened} />
    </div>
  )
}

export const ProjectShell = (): ReactNode => {
  const opened = projectRoute.useLoaderData()
  if (opened === null || opened === undefined) return <NotFoundPage />
  return (
    <OpenedProvider value={opened}>
      <Frame key={opened.project.id} />
    </OpenedProvider>
  )
}
