import { AdministrationError } from '../shared/index.ts'

const NAME_LENGTH_MAX = 200

/**
 * Line breaks and other control characters, and characters that reverse the text beside them: names appear in lists, logs and sentences.
 */
const UNFIT = /[\p{Cc}\u2028-\u202e\u2066-\u2069]+/u

/**
 * A name for people, workspaces, groups, connections, agents and developers of connections.
 * @param text surrounding spaces are removed
 * @throws AdministrationError for an empty name, one of over 200 characters, and one with line breaks or control characters
 */
export function requireName(text: string): string {
  const name = text.trim()
  const { length } = [...name]
  if (length === 0) throw new AdministrationError(`A name must have 1 to ${NAME_LENGTH_MAX} characters; this one is empty.`)
  if (length > NAME_LENGTH_MAX)
    throw new AdministrationError(`A name must have 1 to ${NAME_LENGTH_MAX} characters; this one has ${length}.`)
  const unfit = UNFIT.exec(name)
  if (unfit) {
    const codePoint = (unfit[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    throw new AdministrationError(
      `A name must not contain line breaks or control characters; this one has U+${codePoint} at ${unfit.index}.`,
    )
  }
  return name
}

/** The valid name that is closest to a text from another server; `fallback` if nothing of it remains. */
export function nearestName(text: string, fallback: string): string {
  const name = text.split(UNFIT).join(' ').trim()
  return [...(name || fallback)].slice(0, NAME_LENGTH_MAX).join('').trim()
}
