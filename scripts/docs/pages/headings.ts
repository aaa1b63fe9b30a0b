import { slugOf } from './page.ts'

/** A heading of a page with the text below it. */
export interface Heading {
  readonly level: number
  readonly title: string
  /** Its anchor. */
  readonly slug: string
  readonly text: string
}

/** The second and third level headings of a page, in order, with the anchors that the renderer gives them. */
export function headingsOf(markdown: string): Heading[] {
  const seen = new Map<string, number>()
  return markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .split(/^(?=#{2,3} )/m)
    .filter((section) => section.startsWith('#'))
    .map((section) => {
      const [heading = '', ...text] = section.split('\n')
      const title = heading.replace(/^#+ /, '').replaceAll('`', '')
      const slug = slugOf(title)
      const before = seen.get(slug) ?? 0
      seen.set(slug, before + 1)
      // Equal headings get a number, as in the renderer.
      const anchor = `${slug}${before === 0 ? '' : `-${before}`}`
      return { level: heading.indexOf(' '), title, slug: anchor, text: text.join(' ') }
    })
}
