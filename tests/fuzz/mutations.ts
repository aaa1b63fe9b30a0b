import type { Random } from './random.ts'

export interface Material {
  readonly random: Random
  /** Tokens of the language. */
  readonly words: readonly string[]
  /** Another stored input. */
  readonly other: () => string
}

/** Derives an input from another one. */
export type Mutate = (input: string, material: Material) => string

/** Characters that often break parsers: ends of ranges, surrogates, combining marks, unusual white space. */
const CHARACTERS = [
  '\0',
  '\t',
  '\n',
  '\r',
  ' ',
  '"',
  "'",
  '%',
  '&',
  '\\',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u00ad',
  'ß',
  'İ',
  '\u0301',
]
const WIDE_CHARACTERS = [
  '\u2028',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\uffff',
  '\ud800',
  '\udc00',
  '👩‍🚀',
  '𝒳',
  '٣',
  'ﬀ',
  '日',
  '\u202e',
]
const NUMBERS = ['0', '-1', '1', '2', '100', '101', '1e308', '1e309', '9007199254740993', '2147483648', '0.1', '-0', '00']

const STEPS: readonly Mutate[] = [
  (input, { random, words }) => inserted(input, random.below(input.length + 1), 0, random.pick(words)),
  (input, { random, words }) => inserted(input, ...range(input, random), random.pick(words)),
  (input, { random }) => inserted(input, ...range(input, random), ''),
  (input, { random }) => {
    const [at, length] = range(input, random)
    return inserted(input, at, 0, input.slice(at, at + length).repeat(1 + random.below(random.once(8) ? 60 : 3)))
  },
  (input, { random }) => {
    const [at, length] = range(input, random)
    return inserted(inserted(input, at, length, ''), random.below(input.length), 0, input.slice(at, at + length))
  },
  (input, { random, other }) => {
    const found = other()
    const [at, length] = range(found, random)
    return inserted(input, random.below(input.length + 1), 0, found.slice(at, at + length))
  },
  (input, { random, other }) => {
    const found = other()
    return input.slice(0, random.below(input.length + 1)) + found.slice(random.below(found.length + 1))
  },
  (input, { random }) => inserted(input, random.below(input.length + 1), random.below(2), character(random)),
  (input, { random }) => inserted(input, random.below(input.length + 1), random.below(2), random.pick(NUMBERS)),
  (input, { random }) => {
    const lines = input.split('\n')
    const line = random.pick(lines)
    return lines.toSpliced(random.below(lines.length + 1), random.below(2), `${random.pick(INDENTS)}${line}`).join('\n')
  },
]

const INDENTS = ['', '', '\t', '  ', '    ', ' ']

/** Changes a text at one or a few positions. */
export const mutateText: Mutate = (input, material) => {
  let text = input
  for (let left = 1 + material.random.below(material.random.once(3) ? 8 : 3); left > 0; left -= 1)
    text = material.random.pick(STEPS)(text, material)
  return text
}

/** A text of about the given length that repeats a part of an input, to find superlinear run times. */
export function grown(input: string, length: number, { random, words }: Material): string {
  const [at, size] = range(input, random)
  const piece = random.once(2)
    ? input.slice(at, at + size) || 'a'
    : random.pick(words) + (random.once(2) ? random.pick(words) : '')
  const [start, end] = [input.slice(0, at), input.slice(at + size)]
  return start + piece.repeat(Math.max(0, Math.ceil((length - input.length) / piece.length))) + (random.once(2) ? end : '')
}

function range(input: string, random: Random): [at: number, length: number] {
  const at = random.below(input.length + 1)
  return [at, random.below(Math.min(input.length - at, random.once(4) ? Infinity : 12) + 1)]
}

function inserted(input: string, at: number, removed: number, text: string): string {
  return input.slice(0, at) + text + input.slice(at + removed)
}

function character(random: Random): string {
  if (random.once(3)) return random.pick(WIDE_CHARACTERS)
  return random.once(2) ? random.pick(CHARACTERS) : String.fromCharCode(32 + random.below(95))
}

type Json = unknown

/** Changes a JSON text at the level of its values. Other texts are changed as text. */
export const mutateJson: Mutate = (input, material) => {
  const { random } = material
  let value: Json
  try {
    value = JSON.parse(input)
  } catch {
    return mutateText(input, material)
  }
  for (let left = 1 + random.below(random.once(3) ? 6 : 2); left > 0; left -= 1) value = changedInside(value, material)
  return JSON.stringify(value)
}

function changedInside(value: Json, material: Material): Json {
  const { random } = material
  if (typeof value !== 'object' || value === null || random.once(12)) return changed(value, material)
  if (Array.isArray(value)) {
    const entries: readonly Json[] = value
    const at = random.below(entries.length)
    if (entries.length === 0 || random.once(5)) return entries.toSpliced(at, random.below(2), other(material))
    if (random.once(12)) return entries.toSpliced(at, 0, ...Array<Json>(1 + random.below(4)).fill(entries[at]))
    return entries.with(at, changedInside(entries[at], material))
  }
  const members = Object.entries(value)
  const at = random.below(members.length)
  const [key = '', inner] = members[at] ?? []
  if (members.length === 0 || random.once(8))
    return Object.fromEntries([...members, [random.pick(material.words), other(material)]])
  if (random.once(10)) return Object.fromEntries(members.toSpliced(at, 1))
  if (random.once(8)) return Object.fromEntries(members.with(at, [random.pick(material.words), inner]))
  return Object.fromEntries(members.with(at, [key, changedInside(inner, material)]))
}

function changed(value: Json, material: Material): Json {
  const { random, words } = material
  if (random.once(3)) return other(material)
  if (random.once(12)) return [value]
  if (random.once(12)) return { [random.pick(words)]: value }
  if (typeof value === 'string') return random.once(2) ? random.pick(words) : mutateText(value, material)
  if (typeof value === 'number') return Number(random.pick(NUMBERS)) + (random.once(3) ? value : 0)
  return typeof value === 'boolean' ? !value : random.pick(PLAIN)
}

const PLAIN: readonly Json[] = [null, true, false, 0, 1, -1, 1.5, '', 'a', [], {}, '2026-05-04', '__proto__']

/** A value from anywhere in another input. */
function other({ random, other: pick, words }: Material): Json {
  if (random.once(4)) return random.once(2) ? random.pick(PLAIN) : random.pick(words)
  let value: Json
  try {
    value = JSON.parse(pick())
  } catch {
    return random.pick(PLAIN)
  }
  while (typeof value === 'object' && value !== null && !random.once(4)) {
    const inner: readonly Json[] = Object.values(value)
    if (inner.length === 0) break
    value = random.pick(inner)
  }
  return value
}
