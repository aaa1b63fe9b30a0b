import type { JSX } from 'preact'
import type { AccessibleItem } from '../../../generated/console_types.ts'
import { Link } from '../route.tsx'

/** A link to who has access to a page or database. */
export function ItemLink({ id, title }: AccessibleItem): JSX.Element {
  return title === null ? <span>a page that you may not see</span> : <Link to={`/access/${id}`}>{title}</Link>
}
