import { blockForms } from './block_forms.ts'
import { reportDamage, type Damage } from './damage.ts'
import { anything, type Form } from './form.ts'
import { eventColumns, jsonColumns, type JsonPlace } from './json_columns.ts'

const DAMAGED = Symbol('damaged')

function parsed(place: string, id: string, text: unknown, form: Form): unknown {
  let value: unknown
  try {
    value = JSON.parse(text as string)
  } catch {
    return report({ place, id, expected: 'JSON' })
  }
  const mismatch = form(value)
  return mismatch ? report({ place: place + mismatch.path, id, expected: mismatch.expected }) : value
}

function report(damage: Damage): typeof DAMAGED {
  reportDamage(damage)
  return DAMAGED
}

/** A stored value; undefined for a damaged one, which is reported. Use it if a substitute would be wrong. */
export function readUnlessDamaged(place: string, id: string, text: string, form?: Form): unknown {
  const known = Object.hasOwn(jsonColumns, place) ? jsonColumns[place as JsonPlace].form : anything
  const value = parsed(place, id, text, form ?? known)
  return value === DAMAGED ? undefined : value
}

/**
 * A stored value, or its substitute if it is damaged: one damaged cell must not make a whole list unreadable.
 * @param id identifies the row in the log
 */
export function readJson(place: JsonPlace, id: string, text: string): unknown {
  const { form, instead } = jsonColumns[place]
  const value = parsed(place, id, text, form)
  return value === DAMAGED ? instead : value
}

/** Like `readJson`; null if nothing is stored. */
export function readNullableJson(place: JsonPlace, id: string, text: string | null): unknown {
  return text === null ? null : readJson(place, id, text)
}

/** The stored content of a block; undefined if it is damaged. */
export function readBlockContent(id: string, type: string, text: string): Readonly<Record<string, unknown>> | undefined {
  const form = Object.hasOwn(blockForms, type) ? blockForms[type] : undefined
  const value = form ? parsed('blocks.content', id, text, form) : report({ place: 'blocks.type', id, expected: 'a known type' })
  return value === DAMAGED ? undefined : (value as Readonly<Record<string, unknown>>)
}

/** The stored content of an event of a session. */
export function readEventContent(id: string, type: string, text: string): unknown {
  const column = eventColumns[type] ?? { form: anything, instead: {} }
  const value = parsed('session_events.content', id, text, column.form)
  return value === DAMAGED ? column.instead : value
}
