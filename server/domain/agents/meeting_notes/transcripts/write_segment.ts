import type { ParagraphContentRequest } from '../../../../../generated/types.ts'
import type { StoredContent } from '../../../../store/blocks.ts'
import { splitPieces, splitText, type StoredRichText } from '../../../content/index.ts'
import type { SpokenSegment } from './segment.ts'

type Text = ParagraphContentRequest['rich_text']

/**
 * The texts of the paragraphs of a segment: `[hh:mm:ss] Speaker: text`. There is more than one only if the segment exceeds the
 * limit of a block. The label is a separate run.
 */
export function writeSegment({ start, speaker, text }: SpokenSegment): Text[] {
  const time = start === undefined ? '' : `[${clockOf(start)}] `
  const label = `${time}${speaker === undefined ? '' : `${speaker}: `}`
  const runs = [...(label === '' ? [] : [label]), ...splitText(text)]
  return [...splitPieces(runs.map((content) => ({ text: { content } })))]
}

function clockOf(seconds: number): string {
  const whole = Math.floor(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

const LABEL = /^(?:\[\d{2,}:\d\d:\d\d\] )?(?:(.*): )?$/

/** The content of a transcript paragraph. The reverse of `writeSegment`, as far as summaries need it. */
export function parseSegment(content: StoredContent): Pick<SpokenSegment, 'speaker' | 'text'> {
  const runs = ((content['rich_text'] ?? []) as StoredRichText).map((item) => (item.type === 'text' ? item.text.content : ''))
  const label = runs.length > 1 ? LABEL.exec(runs[0] ?? '') : null
  return { speaker: label?.[1], text: (label ? runs.slice(1) : runs).join('') }
}
