import {
  bestFirst,
  passagesOf,
  scoreOf,
  TermCounter,
  type Passage,
  type Findings,
  type RunMessage,
} from '../../domain/agents/index.ts'

/** A page or an attachment that contains some of the terms. */
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

interface SearchedTerms {
  /** Terms of the message. Everyone who sees the reply sees the message too. */
  readonly original: readonly string[]
  /** All search terms. */
  readonly terms: readonly string[]
}

/** The best passages of pages and attachments, one per line. */
export function composeReply({ original, terms }: SearchedTerms, findings: Findings | undefined, message: RunMessage): string {
  const sources: Source[] = [...(findings?.pages ?? []), ...attachmentsWith(terms, message)].sort(bestFirst)
  const lines = sources
    .slice(0, SOURCES_MAX)
    .flatMap(({ title, url, passages }) =>
      passages.map(({ text }) => `"${text}" — ${title}${url === undefined ? '' : ` (${url})`}`),
    )
  if (lines.length > 0) return [headline(lines.length), ...lines.map((line, index) => `${index + 1}. ${line}`)].join('\n')
  const nothing =
    original.length === 0 ? 'No shared page says more about this.' : `No shared page mentions: ${original.join(', ')}`
  return findings && !findings.is_complete ? `${nothing}\n${incompleteNotice(findings)}` : nothing
}

function headline(count: number): string {
  return `Found ${count} ${count === 1 ? 'passage' : 'passages'}:`
}

/** A notice that pages that were not searched may mention the terms as well. */
function incompleteNotice({ pages_read: count }: Findings): string {
  return `The search read only the beginning of ${count} pages.`
}

/** The time of attachments in the order of sources: with equal scores, they come before pages. */
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
