/** A page of the reference in Markdown. The site renders it, and also publishes the text as `.md`. */

import type { CallForm } from '../browser/call_form.ts'

export type PageKind = 'home' | 'guide' | 'area' | 'operation' | 'object' | 'event' | 'list'

export interface SitePage {
  /** The path from the site's root without extension, such as `operations/createPage`. */
  readonly path: string
  readonly kind: PageKind
  readonly title: string
  /** One plain sentence for search results and link lists. */
  readonly summary: string
  /** The text below the title. Links to other pages are relative and end in `.md`. */
  readonly markdown: string
  /** Words for the search that are not in the title and headings, such as property names. */
  readonly keywords: readonly string[]
  /** The name of the tag that the page belongs to. */
  readonly area?: string
  /** The data of an operation's form. */
  readonly call?: CallForm
}

/** The parts of a page that take longest to generate. */
type WrittenPart = Pick<SitePage, 'markdown' | 'keywords'>

/** A page that is written when it is requested: `npm run dev` shows one page of hundreds after each save. */
export function pageOnDemand(page: Omit<SitePage, keyof WrittenPart>, write: () => WrittenPart): SitePage {
  let written: WrittenPart | undefined
  const read = (): WrittenPart => (written ??= write())
  return {
    ...page,
    get markdown() {
      return read().markdown
    },
    get keywords() {
      return read().keywords
    },
  }
}

/** The folder of a page: `operations/` for `operations/createPage`, `''` at the root. */
export function folderOfPage(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** A relative link from one page to another, which works on a web server, in a subfolder and from disk. */
export function relativeLink(from: string, to: string): string {
  return folderOfPage(from) === folderOfPage(to)
    ? to.slice(folderOfPage(to).length)
    : `${'../'.repeat(folderOfPage(from).split('/').length - 1)}${to}`
}

/** The first sentence of a description as plain text, without Markdown. */
export function firstSentence(description: string): string {
  const paragraph = (description.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s+/g, ' ').trim()
  const sentence = /^.*?[.!?](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph
  // A sentence that ends in a colon would introduce text that does not follow here.
  return sentence
    .replace(/:$/, '.')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}

/** The slug of a heading or tag: `Meeting notes` -> `meeting-notes`. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
}
