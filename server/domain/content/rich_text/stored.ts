import type { Annotations, AnnotationsRequest, Color, DateValue, TemplateMention } from '../../../../generated/types.ts'

/**
 * Stored rich text: the written content, without the members derived on read (`plain_text`, `href`, names of ids). Annotations contain only
 * deviations from the default.
 */
export type StoredRichText = readonly StoredItem[]

export type StoredItem = { readonly annotations?: Partial<Annotations> } & (
  | { readonly type: 'text'; readonly text: { readonly content: string; readonly link?: { readonly url: string } } }
  | { readonly type: 'equation'; readonly equation: { readonly expression: string } }
  | { readonly type: 'mention'; readonly mention: StoredMention }
)

export type StoredMention =
  | { readonly type: 'user'; readonly user: { readonly id: string } }
  | { readonly type: 'date'; readonly date: DateValue }
  | { readonly type: 'page'; readonly page: { readonly id: string } }
  | { readonly type: 'database'; readonly database: { readonly id: string } }
  | { readonly type: 'template_mention'; readonly template_mention: TemplateMention }
  | { readonly type: 'custom_emoji'; readonly custom_emoji: { readonly id: string } }

const PLAIN: Annotations = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: 'default' satisfies Color,
}

/** All six annotations: the stored ones over the defaults. */
export function fullAnnotations(stored: Partial<Annotations> | undefined): Annotations {
  return stored === undefined ? { ...PLAIN } : { ...PLAIN, ...stored }
}

/** Drops annotations that equal the defaults; undefined if none remain. */
export function storedAnnotations(written: AnnotationsRequest | undefined): Partial<Annotations> | undefined {
  if (written === undefined) return undefined
  const kept: Partial<Annotations> = {}
  if (written.bold) kept.bold = true
  if (written.italic) kept.italic = true
  if (written.strikethrough) kept.strikethrough = true
  if (written.underline) kept.underline = true
  if (written.code) kept.code = true
  if (written.color && written.color !== 'default') kept.color = written.color
  return Object.keys(kept).length > 0 ? kept : undefined
}
