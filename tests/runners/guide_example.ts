import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

const guide = resolve(import.meta.dirname, '../../spec/guides/07-testing.md')

/**
 * The first program below a heading of the guide to testing.
 * @throws Error if there is none
 */
export async function guideExample(heading: string): Promise<string> {
  const text = await readFile(guide, 'utf8')
  const section = text.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`))
  const [, program] = /```(?:[jt]s|py|go|java)\n(.+?)```/s.exec(section ?? '') ?? []
  if (program === undefined) throw new Error(`The guide to testing has no program below "${heading}".`)
  return program
}
