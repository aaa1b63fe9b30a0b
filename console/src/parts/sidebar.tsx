import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ConsoleSession } from '../../../generated/console_types.ts'
import { base } from '../api.ts'
import { Link } from '../route.tsx'
import { screens } from '../screens/index.ts'
import type { ScreenEntry } from '../screens/screen.ts'

interface SidebarProps {
  readonly session: ConsoleSession
  readonly current: ScreenEntry
}

/** The menu. On phones it opens below the title. */
export function Sidebar({ session, current }: SidebarProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [current])
  const shown = screens.filter((screen) => screen.isFor(session))
  const sections = [...new Set(shown.map(({ section }) => section))]
  return (
    <header class={isOpen ? 'side open' : 'side'}>
      <div class="brand">
        <Link to={screens[0].path}>Console</Link>
        <button class="menu-button" aria-expanded={isOpen} aria-controls="menu" onClick={() => setOpen(!isOpen)}>
          Menu
        </button>
      </div>
      <div id="menu" class="menu">
        <nav aria-label="Console">
          {sections.map((section) => (
            <div class="section" key={section}>
              <h2>{section}</h2>
              <ul>
                {shown
                  .filter((screen) => screen.section === section)
                  .map((screen) => (
                    <li key={screen.path}>
                      <Link to={screen.path} isCurrent={screen === current}>
                        {screen.title}
                      </Link>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </nav>
        <div class="foot">
          <a href={`${base}/search`}>Pages</a>
          <a href={`${base}/docs/`}>Reference</a>
          <a class="who" href={`${base}/sign-in`} title={session.email}>
            {session.email}
          </a>
        </div>
      </div>
    </header>
  )
}
