/** The list of events, and a page for each event. */

import { requestBodyOf, resolve, webhooksOf, type Document, type Example, type PlacedOperation } from '../../generate/document.ts'
import { inCell, json, memberBlock, schemaLinks, section } from './objects.ts'
import { membersOf, typeText } from './members.ts'
import { firstSentence, relativeLink, type SitePage } from './page.ts'

export const eventListPath = 'events/index'

export function eventPages(document: Document): SitePage[] {
  const events = webhooksOf(document)
  if (events.length === 0) return []
  return [eventList(events), ...events.map((placed) => eventPage(document, placed))]
}

export function eventPath(type: string): string {
  return `events/${type}`
}

function eventList(events: readonly PlacedOperation[]): SitePage {
  const rows = events.map(
    ({ path: type, operation }) =>
      `| [\`${type}\`](${relativeLink(eventListPath, eventPath(type))}.md) | ${inCell(firstSentence(operation.description ?? ''))} |`,
  )
  return {
    path: eventListPath,
    kind: 'list',
    title: 'Events',
    summary: 'Every event that is sent to the address of a webhook subscription.',
    markdown: [
      'Every event that is sent to the address of a webhook subscription, as a signed POST.',
      ['| Type | When |', '|---|---|', ...rows].join('\n'),
    ].join('\n\n'),
    keywords: ['webhooks'],
  }
}

function eventPage(document: Document, { path: type, operation }: PlacedOperation): SitePage {
  const path = eventPath(type)
  const links = schemaLinks(document, path)
  const [media] = Object.values(requestBodyOf(document, operation)?.content ?? {})
  const members = media?.schema === undefined ? undefined : membersOf(links.schemas, media.schema)
  const examples = Object.entries(media?.examples ?? {}).map(([name, example]) => {
    const { summary, value } = resolve<Example>(document, example)
    return `::: example ${summary ?? name}\n\n${json(value ?? null)}\n\n:::`
  })
  const parts = [
    operation.description ?? '',
    media?.schema === undefined
      ? ''
      : section('Payload', [typeText(media.schema, links), members ? memberBlock(members, links) : ''].join('\n\n')),
    examples.length === 0 ? '' : section('Examples', examples.join('\n\n')),
  ]
  return {
    path,
    kind: 'event',
    title: type,
    summary: firstSentence(operation.description ?? ''),
    markdown: parts.filter((part) => part !== '').join('\n\n'),
    keywords: [operation.operationId, operation.summary ?? ''],
    area: 'Events',
  }
}
