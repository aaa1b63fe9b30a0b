import { bestFirst, passagesOf, scoreOf, type Passage } from '../../domain/agents/tools/passages.ts'
import type { Findings } from '../../domain/agents/tools/search_workspace.ts'
import { TermCounter } from '../../domain/agents/terms.ts'
import type { RunMessage } from '../../domain/agents/runtime.ts'

/** A page or an attachment with some of the terms. */
interface Source {
  readonly id: string
  readonly title: string
  /** Undefined for attachments. */
  readonly url?: string
  readonly score: number
  readonly last_edited_time: string
  readonly passages: readonly Passage[]
}

const SOURCES_MAX = 3

interface AnsweredTerms {
  /** Of the message, which whoever sees the answer sees as well. */
  readonly asked: readonly string[]
  /** All that are searched for. */
  readonly terms: readonly string[]
}

/** The best passages of pages and attachments, one on each line. */
export function answerTo({ asked, terms }: AnsweredTerms, findings: Findings | undefined, message: RunMessage): string {
  const sources: Source[] = [...(findings?.pages ?? []), ...attachmentsWith(terms, message)].sort(bestFirst)
  const lines = sources
    .slice(0, SOURCES_MAX)
    .flatMap(({ title, url, passages }) =>
      passages.map(({ text }) => `"${text}" — ${title}${url === undefined ? '' : ` (${url})`}`),
    )
  if (lines.length > 0) return [headOf(lines.length), ...lines.map((line, index) => `${index + 1}. ${line}`)].join('\n')
  const nothing = asked.length === 0 ? 'No shared page tells more.' : `No shared page mentions: ${asked.join(', ')}`
  return findings && !findings.is_complete ? `${nothing}\n${limitOf(findings)}` : nothing
}

function headOf(count: number): string {
  return `Found ${count} ${count === 1 ? 'passage' : 'passages'}:`
}

/** What has not been read may still mention them. */
function limitOf({ pages_read: count }: Findings): string {
  return `There is more than one search reads: this one looked at the beginning of ${count} pages.`
}

/** Among equals, what comes with the message stands before what is kept. */
const LATEST = '9999'

function attachmentsWith(terms: readonly string[], { attachments }: RunMessage): Source[] {
  const counter = new TermCounter(terms)
  return attachments.flatMap(({ name, text }, index): Source[] => {
    if (text === undefined) return []
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
    const score = scoreOf(counter, name, lines)
    if (score === 0) return []
    const id = String(index).padStart(4, '0')
    return [{ id, title: name, score, last_edited_time: LATEST, passages: passagesOf(counter, name, lines) }]
  })
}
