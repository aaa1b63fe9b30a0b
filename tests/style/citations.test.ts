import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

// If you are here because a test failed: readers have only the repository. Say in plain words what the title or comment cites (what is
// proven, which rule), or name an existing file. Cite standards by name: RFC 6749.

const root = resolve(import.meta.dirname, '../..')
const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(resolve(root, file)))
const sources = tracked.filter((file) => /\.(?:ts|js|mjs|py|yaml|md)$/.test(file) && !file.startsWith('generated/'))

/** `P23`, `5.2`, `22`, but not a status, which has three digits. */
const SECTION = String.raw`(?:[\w/]+\.md |section |rule |row |case )?#?(?:[A-Z]{1,2}\d{1,3}|\d{1,2}(?:\.\d+)*[a-z]?)`
const SECTIONS_ALONE = new RegExp(String.raw` \(${SECTION}(?:(?:, | and | to )${SECTION})*\)`)
/** In comments, a number alone may count something. */
const SECTION_OF_SECTIONS = new RegExp(SECTIONS_ALONE.source.replaceAll(String.raw`(?:\.\d+)*`, String.raw`(?:\.\d+)+`))
/** Words that need a second reading in a title: say response, again, continues, fixed, reported, is not a. */
const ROUNDABOUT =
  /\b(?:answer(?:s|ed)?|anew|whoever|go(?:es)? on|mend(?:s|ed)?|told|tells of|is no (?!longer)\w+|carried out|nothing but|at the most)\b/
/** The title before the function of a test. */
const TITLE = /(['"`])((?:(?!\1).)+)\1,\s*(?:\{[^}]*\},\s*)?(?:async )?\(/g
const COMMENT = /^\s*(?:\/\/|\/?\*+|#) (.+)|[;,{(] \/\/ (.+)$/
const FILE_NAME =
  /(?<![\w*<>/.-])(?:\.\.?\/)*((?:[\w.-]+\/)*\.?(?!Node\.js)[\w-]+\.(?:md|ts|js|py|yaml|json|toml))\b(?!\w|\.[a-z])/g

interface Line {
  /** `file:line` */
  readonly location: string
  readonly text: string
}

function titles(): Line[] {
  return sources
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(resolve(root, file), 'utf8')
      return [...text.matchAll(TITLE)].map((match) => ({
        location: `${file}:${text.slice(0, match.index).split('\n').length}`,
        text: match[2] ?? '',
      }))
    })
}

function comments(): Line[] {
  return sources
    .filter((file) => !file.endsWith('.md'))
    .flatMap((file) =>
      readFileSync(resolve(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          const [, whole, behind] = COMMENT.exec(line) ?? []
          const text = whole ?? behind
          return text === undefined ? [] : [{ location: `${file}:${index + 1}`, text }]
        }),
    )
}

function shown(lines: readonly Line[]): string[] {
  return lines.map(({ location, text }) => `${location} ${text}`)
}

describe('titles and comments', () => {
  it('titles of tests state behavior, without section numbers', () => {
    const found = titles()
    expect(found.length).toBeGreaterThan(1000)
    expect(shown(found.filter(({ text }) => SECTIONS_ALONE.test(text)))).toStrictEqual([])
  })

  it('titles of tests use plain words', () => {
    expect(shown(titles().filter(({ text }) => ROUNDABOUT.test(text)))).toStrictEqual([])
  })

  it('comments cite no sections', () => {
    expect(shown(comments().filter(({ text }) => SECTION_OF_SECTIONS.test(text) || /\bthe facts\b/i.test(text)))).toStrictEqual(
      [],
    )
  })

  it('files that comments name exist, or are generated', () => {
    const generated = readFileSync(resolve(root, 'generated/files.txt'), 'utf8').trim().split('\n')
    const files = [...tracked, ...generated.map((name) => `generated/${name}`)]
    const isThere = (name: string): boolean => files.some((file) => file === name || file.endsWith(`/${name}`))
    const missing = comments().flatMap(({ location, text }) =>
      [...text.matchAll(FILE_NAME)].flatMap(([, name = '']) => (isThere(name) ? [] : [{ location, text: name }])),
    )
    expect(shown(missing)).toStrictEqual([])
  })
})
