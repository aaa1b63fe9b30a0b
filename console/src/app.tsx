import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ConsoleSession } from '../../generated/console_types.ts'
import { loadSession } from './api.ts'
import { Sidebar } from './parts/sidebar.tsx'
import { Trouble } from './parts/trouble.tsx'
import { useRoute } from './route.tsx'
import { screenOf } from './screens/index.ts'
import { useLoaded } from './use_loaded.ts'

/** The whole program: the menu, and the screen of the current address. */
export function App(): JSX.Element {
  const { data: session, error, reload } = useLoaded(loadSession)
  if (error !== undefined)
    return (
      <main class="alone">
        <Trouble message={error} retry={reload} />
      </main>
    )
  return session === undefined ? (
    <p class="loading" role="status">
      Loading…
    </p>
  ) : (
    <SignedIn session={session} reload={reload} />
  )
}

function SignedIn({ session, reload }: { readonly session: ConsoleSession; readonly reload: () => void }): JSX.Element {
  const { path, query } = useRoute()
  const screen = screenOf(path)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = `${screen.title} · Console`
    // Screen readers announce the new screen; the first one is announced by its title.
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
    scrollTo(0, 0)
  }, [screen])
  const { Screen } = screen
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Sidebar session={session} current={screen} />
      <main id="content" tabIndex={-1} ref={main}>
        <Screen key={screen.path} session={session} query={query} path={path} reloadSession={reload} />
      </main>
    </div>
  )
}
