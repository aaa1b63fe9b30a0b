/** One page of the reference, written as Markdown: the site renders it, and publishes the same text beside it as `.md`. */

import type { Call } from '../browser/try_it.ts'

export type PageKind = 'home' | 'guide' | 'area' | 'operation' | 'object' | 'event' | 'list'

export interface Page {
  /** Path below the site's root without extension, as in `operations/createPage`. */
  readonly path: string
  readonly kind: PageKind
  readonly title: string
  /** One plain sentence for search results and link lists. */
  readonly summary: string
  /** The text below the title. Links to other pages are relative and end in `.md`. */
  readonly markdown: string
  /** Words to be found by that the title and the headings don't hold, as property names. */
  readonly keywords: readonly string[]
  /** Name of the tag that the page belongs to. */
  readonly area?: string
  /** What the form of an operation sends. */
  readonly call?: Call
}

/** The folder of a page: `operations/` for `operations/createPage`, `''` at the root. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** A link from one page to another, relative, so that it works from a web server, a subfolder of one, and a disk. */
export function relativeLink(from: string, to: string): string {
  return folderOf(from) === folderOf(to)
    ? to.slice(folderOf(to).length)
    : `${'../'.repeat(folderOf(from).split('/').length - 1)}${to}`
}

/** The first sentence of a description as plain text, without Markdown marks. */
export function firstSentence(description: string): string {
  const paragraph = (description.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s+/g, ' ').trim()
  const sentence = /^.*?[.!?](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph
  return sentence.replaceAll(/[`*]/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}

/** `Meeting notes` -> `meeting-notes`: the word of a heading or tag in an address. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
}
