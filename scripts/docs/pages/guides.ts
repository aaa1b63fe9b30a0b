/** The guides: the sections of the contract's introduction, and the files in `spec/guides/`. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Document } from '../../generate/document.ts'
import { firstSentence, slugOf, type SitePage } from './page.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

/** A guide. If it is a file, its first heading is the title, and the number before its name determines its position. */
export interface WrittenGuide {
  readonly slug: string
  readonly title: string
  readonly markdown: string
}

export async function readGuides(folder: string): Promise<WrittenGuide[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const { title, markdown } = splitTitle(await readFile(join(folder, name), 'utf8'))
      return { slug: name.replace(/^\d+-|\.md$/g, '').replace(/\.md$/, ''), title, markdown }
    }),
  )
}

export function guidePath(slug: string): string {
  return `guides/${slug}`
}

/** The guides of a release, in reading order. A file replaces the section of the introduction with the same name. */
export function guidesOf(document: Document, written: readonly WrittenGuide[]): WrittenGuide[] {
  const sections = introductionSections(String(document.info['description'] ?? ''))
  const own = sections
    .map(({ title, markdown }) => ({ slug: slugOf(title), title, markdown }))
    .map((guide) =>
      guide.slug === 'authentication' ? { ...guide, markdown: `${guide.markdown}\n\n${securitySchemes(document)}` } : guide,
    )
  const [first, ...others] = replacing(own, written).slice(own.length)
  return [...(first === undefined ? [] : [first]), ...replacing(own, written).slice(0, own.length), ...others]
}

function securitySchemes({ components: { securitySchemes: schemes = {} } }: Document): string {
  const entries = Object.entries(schemes).map(([name, { description = '', flows }]) =>
    [`### ${name}`, String(description), scopesTable(flows)].filter((part) => part !== '').join('\n\n'),
  )
  return ['## Security schemes', ...entries].join('\n\n')
}

function scopesTable(flows: unknown): string {
  const scopes = Object.values(isObject(flows) ? flows : {}).flatMap((flow) =>
    isObject(flow) && isObject(flow['scopes']) ? Object.entries(flow['scopes']) : [],
  )
  const rows = scopes.map(([scope, meaning]) => `| \`${scope}\` | ${String(meaning)} |`)
  return rows.length === 0 ? '' : ['| Scope | Allows |', '|---|---|', ...rows].join('\n')
}

/** Merges two lists of guides. One of `others` replaces the guide with its slug; those with new slugs are appended. */
export function replacing(guides: readonly WrittenGuide[], others: readonly WrittenGuide[]): WrittenGuide[] {
  const bySlug = new Map([...guides, ...others].map((guide) => [guide.slug, guide]))
  return [...bySlug.values()]
}

export function guidePages(guides: readonly WrittenGuide[]): SitePage[] {
  return guides.map(({ slug, title, markdown }) => ({
    path: guidePath(slug),
    kind: 'guide',
    title,
    summary: firstSentence(firstParagraph(markdown)),
    markdown,
    keywords: [],
  }))
}

/** The first paragraph that is prose, not a table, list, code block or heading. */
function firstParagraph(markdown: string): string {
  const blocks = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').split(/\n\s*\n/)
  return blocks.find((block) => /^[\p{L}*`]/u.test(block.trim())) ?? ''
}

/** The text before the first section of the contract's introduction. */
export function introductionOpening(document: Document): string {
  return (String(document.info['description'] ?? '').split(/^# /m)[0] ?? '').trim()
}

function introductionSections(description: string): { title: string; markdown: string }[] {
  return description
    .split(/^(?=# )/m)
    .filter((text) => text.startsWith('# '))
    .map(splitTitle)
}

function splitTitle(text: string): { title: string; markdown: string } {
  const [heading = '', ...rest] = text.trim().split('\n')
  return { title: heading.replace(/^# /, ''), markdown: rest.join('\n').trim() }
}
