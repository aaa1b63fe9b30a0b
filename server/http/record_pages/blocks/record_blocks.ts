import type { LinkToPageContent, MeetingNotesContent, MeetingNotesStatus } from '../../../../generated/types.ts'
import { markup, type Html } from '../../oauth/html.ts'
import { momentElement } from '../dates.ts'
import { iconElement } from '../icon.ts'
import { recordPath } from '../links.ts'
import { richTextHtml } from '../rich_text.ts'
import type { PageView } from '../page_view.ts'
import type { BlockToRender } from './block_to_render.ts'

export function renderChildRecord({ view, node }: BlockToRender, kind: 'page' | 'database', title: string): Html {
  const entry = view.entries.get(node.block.id)
  return recordLine(view, node.block.id, iconElement(view, entry?.icon ?? null, kind), title || 'Untitled')
}

export function renderLinkToPage({ view }: BlockToRender, link: LinkToPageContent): Html {
  switch (link.type) {
    case 'page_id':
      return recordLine(view, link.page_id, iconElement(view, null, 'page'), view.titles.get(link.page_id))
    case 'database_id':
      return recordLine(view, link.database_id, iconElement(view, null, 'database'), view.titles.get(link.database_id))
    case 'comment_id':
      return markup`<p class="soft">Link to a comment</p>`
  }
}

/** A line for a record. If the reader does not see the record, the line says nothing about it. */
function recordLine(view: PageView, id: string, icon: Html | undefined, title: string | undefined): Html {
  if (title === undefined) return markup`<p class="record soft">A page that you cannot see</p>`
  return markup`<p class="record"><a href="${recordPath(view, id)}">${icon}<span>${title || 'Untitled'}</span></a></p>`
}

export function renderBreadcrumb({ view }: BlockToRender): Html {
  return markup`<nav aria-label="Where this page is"><ol class="crumbs">${crumbsOf(view)}</ol></nav>`
}

/** The pages and databases that contain the page, as items of a list. */
export function crumbsOf(view: PageView): readonly Html[] {
  return view.path.map(
    ({ id, title, kind, icon }) =>
      markup`<li><a href="${recordPath(view, id)}">${iconElement(view, icon, kind)}<span>${title}</span></a></li>`,
  )
}

export function renderContents({ view }: BlockToRender): Html {
  if (view.headings.length === 0) return markup`<p class="soft">No headings on this page.</p>`
  const items = view.headings.map(
    ({ id, level, text }) => markup`<li class="level-${level}"><a href="#${id}">${text || 'Untitled'}</a></li>`,
  )
  return markup`<nav class="contents" aria-label="Contents"><ul>${items}</ul></nav>`
}

const STATES: Readonly<Record<MeetingNotesStatus, string>> = {
  transcription_not_started: 'Waiting for transcription',
  transcription_paused: 'Transcription paused',
  transcription_in_progress: 'Being transcribed',
  transcription_failed: 'Transcription failed',
  summary_in_progress: 'Being summarized',
  notes_ready: 'Notes ready',
}

export function renderMeetingNotes({ view, below }: BlockToRender, notes: MeetingNotesContent): Html {
  const { title = [], status, recording, calendar_event: event } = notes
  const start = event?.start_time ?? recording?.start_time
  return markup`<section class="notes"><p class="head"><span class="icon" aria-hidden="true">🎙️</span>
<strong>${title.length > 0 ? richTextHtml(view, title) : 'Meeting notes'}</strong>
${status !== undefined && markup`<span class="tag">${STATES[status] ?? status}</span>`}</p>
${start !== undefined && markup`<p class="soft">${momentElement(start, view.locale)}</p>`}${below}</section>`
}

export function renderUnsupported(kind: string): Html {
  return markup`<p class="unsupported">A block of a kind that this service does not support: <code>${kind}</code></p>`
}
