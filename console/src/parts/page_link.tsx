import type { JSX } from 'preact'
import { base } from '../api.ts'

interface PageLinkProps {
  readonly id: string
  readonly title: string
  readonly icon: string | null
}

/** A link to a page or database of a workspace. */
export function PageLink({ id, title, icon }: PageLinkProps): JSX.Element {
  return (
    <a class="page-link" href={`${base}/${id.replaceAll('-', '')}`}>
      {icon !== null && <span aria-hidden="true">{icon} </span>}
      {title}
    </a>
  )
}
