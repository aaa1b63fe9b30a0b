/** Why a value does not have a form. */
export interface Mismatch {
  /** The path in the value, for example `[0].text.content`; empty for the value itself. */
  readonly path: string
  /** The expected kind of value, with its article, for example `a list`. */
  readonly expected: string
  readonly found: unknown
}

/** A description of a found value, such as `3000000 bytes`, to be shown instead of the value itself. */
export class Measured {
  readonly words: string

  constructor(words: string) {
    this.words = words
  }
}

/**
 * The form of a stored value. Additional members are accepted.
 * @returns undefined for a value that has the form
 */
export type Form = (value: unknown) => Mismatch | undefined

export function where(expected: string, test: (value: unknown) => boolean): Form {
  return (value) => (test(value) ? undefined : { path: '', expected, found: value })
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isId(value: unknown): boolean {
  return typeof value === 'string' && ID.test(value)
}

export const anything: Form = () => undefined
export const text = where('a text', (value) => typeof value === 'string')
// `1e999` is valid JSON, but is parsed as infinity.
export const numberForm = where('a number', Number.isFinite)
export const countForm = where('a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) >= 1)
export const flagForm = where('true or false', (value) => typeof value === 'boolean')
export const id = where('an id', isId)
export const members = where('an object', isMembers)

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const LISTED_MAX = 12

export function oneOfTexts(values: readonly string[]): Form {
  const known = new Set<unknown>(values)
  const expected = values.length > LISTED_MAX ? `one of ${values.length} known words` : `one of ${values.join(', ')}`
  return where(expected, (value) => known.has(value))
}

export function nullable(form: Form): Form {
  return (value) => (value === null ? undefined : form(value))
}

export function list(form: Form): Form {
  return (value) => {
    if (!Array.isArray(value)) return { path: '', expected: 'a list', found: value }
    for (let index = 0; index < value.length; index += 1) {
      const mismatch = form(value[index])
      if (mismatch) return below(`[${index}]`, mismatch)
    }
    return undefined
  }
}

/**
 * The form of an object with these members.
 * @param optional members that may be missing
 */
export function object(required: Readonly<Record<string, Form>>, optional: Readonly<Record<string, Form>> = {}): Form {
  const entries = Object.entries({ ...optional, ...required })
  return (value) => {
    if (!isMembers(value)) return { path: '', expected: 'an object', found: value }
    for (const [name, form] of entries) {
      const member = value[name]
      const mismatch = member === undefined && !(name in required) ? undefined : form(member)
      if (mismatch) return below(`.${name}`, mismatch)
    }
    return undefined
  }
}

/** The form of an object whose members all have one form. */
export function record(form: Form): Form {
  return (value) => {
    if (!isMembers(value)) return { path: '', expected: 'an object', found: value }
    for (const name of Object.keys(value)) {
      const mismatch = form(value[name])
      if (mismatch) return below(`.${name}`, mismatch)
    }
    return undefined
  }
}

/** The form of an object whose form depends on its member `type`. */
export function tagged(forms: Readonly<Record<string, Form>>): Form {
  const type = oneOfTexts(Object.keys(forms))
  return (value) => {
    if (!isMembers(value)) return { path: '', expected: 'an object', found: value }
    const mismatch = type(value['type'])
    return mismatch ? below('.type', mismatch) : forms[String(value['type'])]?.(value)
  }
}

/** The form of a value that has one of these forms. */
export function either(expected: string, ...forms: readonly Form[]): Form {
  return where(expected, (value) => forms.some((form) => form(value) === undefined))
}

function below(step: string, { path, ...mismatch }: Mismatch): Mismatch {
  return { ...mismatch, path: step + path }
}
