import type { Color, Icon, IconRequest, RichTextItem, RichTextItemRequest } from '../../../../generated/types.ts'
import { presentIcon, storeIcon, type IconAddresses, type StoredIcon } from '../icons.ts'
import type { ReferenceList } from '../references.ts'
import type { Facts } from '../rich_text/facts.ts'
import { plainText, presentRichText } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { storeRichText } from '../rich_text/store_rich_text.ts'
import type { StoredContent } from '../../../store/blocks.ts'

/** The context for storing a written value. */
export interface WriteNotes extends IconAddresses {
  readonly references: ReferenceList
}

/** One field of a block's content, between its written, stored and presented forms. */
export interface Field<Written, Read> {
  /** The stored form of a written value. */
  store(written: Written, path: string, notes: WriteNotes): unknown
  /**
   * The stored value that a new block gets if it omits the field, and that is assumed for a block without the field. Undefined leaves the
   * field absent.
   */
  readonly initial?: unknown
  present(stored: unknown, facts: Facts): Read
  /** The plain text of a stored value, for fields that hold text. */
  text?(stored: unknown, facts: Facts): string
}

/** How the content of a block type is stored and presented. Written content has been validated against the contract. */
export interface ContentRules {
  create(written: unknown, path: string, notes: WriteNotes): StoredContent
  /** The complete new content. Omitted fields keep their value. */
  update(stored: StoredContent, written: unknown, path: string, notes: WriteNotes): StoredContent
  present(stored: StoredContent, facts: Facts): object
  /** The plain text of the content, one line for each field that has any; empty if there is none. */
  text(stored: StoredContent, facts: Facts): string
}

type Fields<Written, Read> = {
  readonly [Name in keyof Read & string]-?: Field<
    Name extends keyof Written ? Exclude<Written[Name], undefined> : never,
    Read[Name]
  >
}

/** Content that is a plain set of fields. `Written` and `Read` are the contract's own schemas: a field that is missing here does not compile. */
export function contentOf<Written, Read>(fields: Fields<Written, Read>): ContentRules {
  const entries = Object.entries<Field<unknown, unknown>>(fields as Record<string, Field<unknown, unknown>>)
  const write = (before: StoredContent, written: unknown, path: string, notes: WriteNotes, isNew: boolean): StoredContent => {
    const content: Record<string, unknown> = { ...before }
    for (const [name, field] of entries) {
      const value = valueOf(written, name)
      const initial = isNew ? field.initial : undefined
      const stored = value === undefined ? initial : field.store(value, `${path}.${name}`, notes)
      if (stored !== undefined) content[name] = stored
    }
    return content
  }
  return {
    create: (written, path, notes) => write({}, written, path, notes, true),
    update: (stored, written, path, notes) => write(stored, written, path, notes, false),
    present(stored, facts) {
      const content: Record<string, unknown> = {}
      for (const [name, field] of entries) {
        const value = stored[name] ?? (name in stored ? null : field.initial)
        if (value !== undefined) content[name] = field.present(value, facts)
      }
      return content
    },
    text: (stored, facts) =>
      entries
        .map(([name, field]) => (stored[name] === undefined ? '' : (field.text?.(stored[name], facts) ?? '')))
        .filter((text) => text !== '')
        .join('\n'),
  }
}

function valueOf(written: unknown, name: string): unknown {
  return typeof written === 'object' && written !== null && Object.hasOwn(written, name) ? Reflect.get(written, name) : undefined
}

/** Content that the service creates and callers cannot change. */
export const asStored: ContentRules = {
  create: () => ({}),
  update: (stored) => stored,
  present: (stored) => stored,
  text: () => '',
}

/** Content without any field. */
export const emptyContent: ContentRules = { ...asStored, present: () => ({}) }

/** Title of a page or database, as its block shows it. */
export const titleContent: ContentRules = {
  ...asStored,
  present: (stored, facts) => ({ title: plainText(stored['title'] as StoredRichText, facts) }),
  text: (stored, facts) => plainText((stored['title'] ?? []) as StoredRichText, facts),
}

/** A list of rich text items; empty by default. */
export const richText: Field<RichTextItemRequest[], RichTextItem[]> = {
  store: (written, path, notes) => storeRichText(written, path, notes.references),
  initial: [],
  present: (stored, facts) => presentRichText(stored as StoredRichText, facts),
  text: (stored, facts) => plainText(stored as StoredRichText, facts),
}

/** The cells of a table row: a list of rich text items each. */
export const cells: Field<RichTextItemRequest[][], RichTextItem[][]> = {
  store: (written, path, notes) => written.map((cell, index) => storeRichText(cell, `${path}[${index}]`, notes.references)),
  present: (stored, facts) => (stored as StoredRichText[]).map((cell) => presentRichText(cell, facts)),
  text: (stored, facts) => (stored as StoredRichText[]).map((cell) => plainText(cell, facts)).join(' | '),
}

/** A value that is stored and presented as written. */
export function plain<T>(initial?: T): Field<T, T> {
  return { store: (written) => written, ...(initial === undefined ? {} : { initial }), present: (stored) => stored as T }
}

export const color: Field<Color | null, Color> = { ...plain<Color>('default'), store: (written) => written ?? 'default' }
export const flag: Field<boolean, boolean> = plain(false)

/** @param initial the icon of a new block that is created without one */
export function icon<Written extends IconRequest>(initial: StoredIcon | null): Field<Written | null, Icon | null> {
  return {
    store: (written, path, notes) => (written === null ? null : storeIcon(written, path, notes.references, notes)),
    initial,
    present: (stored, facts) => presentIcon(stored as StoredIcon | null, facts),
  }
}
