import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { base } from './api.ts'

const ROOT = `${base}/console`
const CHANGED = 'console:route'

export interface Route {
  /** Below `/console`: `/tokens`. */
  readonly path: string
  readonly query: URLSearchParams
}

function currentRoute(): Route {
  return { path: location.pathname.slice(ROOT.length).replace(/\/$/, ''), query: new URLSearchParams(location.search) }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute)
  useEffect(() => {
    const update = (): void => setRoute(currentRoute())
    addEventListener('popstate', update)
    addEventListener(CHANGED, update)
    return () => {
      removeEventListener('popstate', update)
      removeEventListener(CHANGED, update)
    }
  }, [])
  return route
}

/** @param path below `/console`, with its query */
export function navigate(path: string, replaces = false): void {
  if (replaces) history.replaceState(null, '', ROOT + path)
  else history.pushState(null, '', ROOT + path)
  dispatchEvent(new Event(CHANGED))
}

interface LinkProps {
  readonly to: string
  readonly class?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

/** A link inside the console. Clicks with a modifier open a tab, as usual. */
export function Link({ to, isCurrent = false, children, ...rest }: LinkProps): JSX.Element {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a href={ROOT + to} onClick={follow} aria-current={isCurrent ? 'page' : undefined} {...rest}>
      {children}
    </a>
  )
}
