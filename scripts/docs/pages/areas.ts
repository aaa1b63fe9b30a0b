/** The pages of areas (tags): a description of each, and its operations. */

import { operationsOf, type Document } from '../../generate/document.ts'
import { inCell } from './objects.ts'
import { operationPath } from './operations.ts'
import { firstSentence, relativeLink, slugOf, type SitePage } from './page.ts'

export function areaPath(tag: string): string {
  return `areas/${slugOf(tag)}`
}

export function areaPages(document: Document): SitePage[] {
  return areasOf(document).map(({ name, description = '', operations }) => {
    const path = areaPath(name)
    const rows = operations.map(
      ({ operation, method, path: address }) =>
        `| [${operation.summary ?? operation.operationId}](${relativeLink(path, operationPath(operation.operationId))}.md) | \`${method.toUpperCase()} ${address}\` | ${inCell(firstSentence(operation.description ?? ''))} |`,
    )
    return {
      path,
      kind: 'area',
      title: name,
      summary: firstSentence(description),
      markdown: [description, '## Operations', ['| Operation | Request | |', '|---|---|---|', ...rows].join('\n')].join('\n\n'),
      keywords: [],
      area: name,
    }
  })
}

/** The tags that have operations, in the order of the contract. */
export function areasOf(document: Document) {
  return (document.tags ?? [])
    .map((tag) => ({ ...tag, operations: operationsOf(document).filter(({ operation }) => operation.tags?.[0] === tag.name) }))
    .filter(({ operations }) => operations.length > 0)
}
