/** The overview pages: the home page, the list of objects, and the changes of each release. */

import type { Document } from '../../generate/document.ts'
import { areaPath, areasOf } from './areas.ts'
import { errorsPath } from './errors.ts'
import { eventListPath } from './events.ts'
import { introductionOpening } from './guides.ts'
import { inCell } from './objects.ts'
import { operationPath } from './operations.ts'
import { firstSentence, relativeLink, type SitePage } from './page.ts'

export const homePath = 'index'
export const objectListPath = 'objects/index'
export const changesPath = 'changes'

export function homePage(document: Document, guides: readonly SitePage[]): SitePage {
  const areas = areasOf(document).map(
    ({ name, operations }) =>
      `| [${name}](${areaPath(name)}.md) | ${operations.map(({ operation }) => `[${operation.operationId}](${operationPath(operation.operationId)}.md)`).join(' ')} |`,
  )
  return {
    path: homePath,
    kind: 'home',
    title: document.info.title,
    summary: String(document.info['summary'] ?? ''),
    markdown: [
      introductionOpening(document),
      '## Guides',
      guides.map(({ path, title, summary }) => `- [${title}](${path}.md): ${summary}`).join('\n'),
      '## Operations',
      ['| Area | Operations |', '|---|---|', ...areas].join('\n'),
      '## Look it up',
      [
        `- [Objects](${objectListPath}.md): every object, by its first letter, with all its members and variants`,
        `- [Events](${eventListPath}.md): what webhook subscriptions are sent`,
        `- [Error codes](${errorsPath}.md): what each means and whether to retry`,
        `- [Changes](${changesPath}.md): what each release changed`,
      ].join('\n'),
    ].join('\n\n'),
    keywords: [],
  }
}

/** The list of objects by first letter, and a page for each letter: few programs would read a single long page to its end. */
export function objectListPages(objects: readonly SitePage[]): SitePage[] {
  const sorted = objects.toSorted((one, other) => (one.title < other.title ? -1 : 1))
  const letters = Object.entries(Object.groupBy(sorted, ({ title }) => title.charAt(0)))
  const summary = 'Every object of requests, responses and events.'
  const rows = letters.map(([letter, pages = []]) => {
    const [first, last] = [pages[0], pages.at(-1)].map((page) => page?.title ?? '')
    return `| [${letter}](${relativeLink(objectListPath, letterPath(letter))}.md) | ${pages.length} | ${first} to ${last} |`
  })
  const page = { kind: 'list', keywords: ['schemas', 'models'] } as const
  return [
    {
      ...page,
      path: objectListPath,
      title: 'Objects',
      summary,
      markdown: [summary, ['| Letter | Objects | |', '|---|---|---|', ...rows].join('\n')].join('\n\n'),
    },
    ...letters.map(([letter, pages = []]) => ({
      ...page,
      path: letterPath(letter),
      title: `Objects: ${letter}`,
      summary: `The objects whose names begin with ${letter}.`,
      markdown: objectTable(pages),
    })),
  ]
}

const letterPath = (letter: string): string => `${objectListPath}-${letter.toLowerCase()}`

function objectTable(pages: readonly SitePage[]): string {
  const rows = pages.map(
    ({ path, title, summary }) => `| [${title}](${relativeLink(objectListPath, path)}.md) | ${inCell(summary)} |`,
  )
  return ['| Object | |', '|---|---|', ...rows].join('\n')
}

/** The page with the changes of each release. @param text the text of `generated/versions.md` */
export function changesPage(text: string): SitePage {
  const markdown = text.replace(/^<!--.*-->\n+/, '').replace(/^# .*\n+/, '')
  return {
    path: changesPath,
    kind: 'list',
    title: 'What each release changed',
    summary: firstSentence(markdown),
    markdown,
    keywords: ['changelog'],
  }
}
