import { LINK } from './link_rewriter.ts'

/** The text of a heading without style marks. */
export function plainHeading(heading: string): string {
  return heading
    .trimEnd()
    .replace(/(?<!#)#+$/, '')
    .replace(/(?<!\\)(\*\*|\*|~~|`)/g, '')
    .replace(LINK, '$1$2')
    .replace(/\\(.)/g, '$1')
    .trim()
}
